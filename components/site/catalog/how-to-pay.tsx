import { callOf } from '@/server/discovery/present'
import type { CatalogItem } from '@/server/discovery/schemas'
import { addressUrl, explorerName } from '@/server/x402/networks/explorers'
import { isNetworkId, networkRow, networkTitle } from '@/server/x402/networks/networks'
import { callCommand, callProgram, payerInstall, payerSetup } from '../../client/programs/discovery'
import { Code } from '../../ui/code/code'
import { CopyButton } from '../../ui/copy-button'
import { moneyText } from '../../ui/figures'
import { isTemplate, priceOf, tokenOf } from './text'

type Accept = CatalogItem['accepts'][number]

/** What a call of a resource costs, where the money goes, and programs that pay for it. */
export function HowToPay({ item }: { item: CatalogItem }) {
  const { resource, accepts } = item
  const call = callOf(item)
  const family = familyOf(item)
  const [first, ...rest] = callProgram(call)
  // The command before the URL is ours: only that may be colored.
  const command = callCommand(call)
  const url = command.indexOf("'")
  return (
    <section className="rail" aria-label="How to pay">
      <div className="offer">
        <p className="offer-price">
          <strong>{priceOf(item)}</strong> a call
        </p>
        {accepts.map((accept) => (
          <WayToPay key={`${accept.network} ${accept.asset}`} accept={accept} hasPrice={accepts.length > 1} />
        ))}
      </div>
      <Code code={payerInstall(family)} name="Install" language="shellscript" />
      <Code code={payerSetup(family) + first} rest={rest} name="With @x402/fetch" language="typescript" />
      <Code code={command.slice(0, url)} rest={[command.slice(url)]} name="Check the price with curl" language="shellscript" />
      <p className="muted small">
        The first response is 402 with the price; the client signs a transfer and retries.
        {isTemplate(resource) ? ' Replace the parts that begin with a colon or stand in braces.' : ''}
      </p>
    </section>
  )
}

function WayToPay({ accept, hasPrice }: { accept: Accept; hasPrice: boolean }) {
  const { network, asset, payTo, maxAmountRequired } = accept
  const token = tokenOf(accept)
  return (
    <dl>
      <dt>Network</dt>
      <dd>
        {networkTitle(network)}
        {hasPrice ? <span className="muted"> · {moneyText(maxAmountRequired, token)}</span> : null}
      </dd>
      <dt>Asset</dt>
      <dd>
        {token.symbol}
        <Address network={network} address={asset} name="asset" />
        <CopyButton text={asset} />
      </dd>
      <dt>Pays to</dt>
      <dd>
        <Address network={network} address={payTo} name="recipient" />
        <CopyButton text={payTo} />
      </dd>
    </dl>
  )
}

function Address({ network, address, name }: { network: string; address: string; name: string }) {
  const url = addressUrl(network, address)
  const short = (
    <code title={address}>
      {address.slice(0, 8)}…{address.slice(-6)}
    </code>
  )
  return url ? (
    <a href={url} rel="noreferrer" aria-label={`View ${name} ${address} on ${explorerName(network)}`}>
      {short}
    </a>
  ) : (
    short
  )
}

function familyOf({ accepts }: CatalogItem): 'evm' | 'svm' {
  const [network] = accepts.map((accept) => accept.network).filter(isNetworkId)
  return network ? networkRow(network).family : 'evm'
}
