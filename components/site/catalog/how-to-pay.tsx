import type { ReactNode } from 'react'
import { callOf } from '@/server/discovery/present'
import type { CatalogItem } from '@/server/discovery/schemas'
import { addressUrl, explorerName } from '@/server/x402/networks/explorers'
import { isNetworkId, networkRow, networkTitle } from '@/server/x402/networks/networks'
import { callCommand, callProgram, payerInstall, payerSetup } from '../../client/programs/discovery'
import { Tag } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Code } from '../../ui/code/code'
import { CopyButton } from '../../ui/copy-button'
import { moneyText } from '../../ui/figures'
import { NOTE, PART, PART_TITLE } from './look'
import { isByChannel, isMaximum, isTemplate, leastDepositOf, minuteOf, priceOf, sinceText, tokenOf, UP_TO } from './text'

type Accept = CatalogItem['accepts'][number]

type PriceProps = { item: CatalogItem; isNew: boolean }

/** What a call of a resource costs, where the money goes, and what it returns. */
export function Price({ item, isNew }: PriceProps) {
  const { accepts, x402Version, mimeType, lastUpdated } = item
  const prices = new Set(accepts.map((accept) => `${accept.maxAmountRequired} ${tokenOf(accept).symbol} ${isMaximum(accept)}`))
  return (
    <section className="frame" aria-label="How to pay">
      <p className="flex flex-wrap items-center gap-2 px-[1.1rem] py-[0.9rem] text-soft">
        <span>
          <strong className="text-[1.6rem] font-[650] tracking-[-0.02em] text-ink tabular-nums">{priceOf(item)}</strong> a call
        </span>
        <a className={cx(buttonClass({ look: 'primary', size: 'medium' }), 'ml-auto')} href="#call">
          Call it
        </a>
      </p>
      {accepts.map((accept) => (
        <WayToPay key={`${accept.scheme} ${accept.network} ${accept.asset}`} accept={accept} hasPrice={prices.size > 1} />
      ))}
      <dl className={FACTS}>
        <Fact name="Protocol">x402 version {x402Version}</Fact>
        {mimeType ? (
          <Fact name="Returns">
            <span className="min-w-0 wrap-anywhere">{mimeType}</span>
          </Fact>
        ) : null}
        <Fact name="Last paid">
          <time dateTime={lastUpdated} title={minuteOf(lastUpdated)}>
            {sinceText(lastUpdated)}
          </time>
          {isNew ? <Tag tone="good">New</Tag> : null}
        </Fact>
      </dl>
    </section>
  )
}

/** Programs that pay for a call of a resource. */
export function PayingPrograms({ item }: { item: CatalogItem }) {
  const { resource, accepts } = item
  const call = callOf(item)
  const family = familyOf(item)
  const setup = accepts.every(isByChannel) ? 'channel' : accepts.every(isMaximum) ? 'upto' : family
  const [first, ...rest] = callProgram(call)
  // The command before the URL is ours: only that may be colored.
  const command = callCommand(call)
  const url = command.indexOf("'")
  return (
    <section className={cx(PART, 'grid-cols-[minmax(0,1fr)] content-start')} aria-labelledby="call">
      <h2 id="call" className={PART_TITLE}>
        Call it
      </h2>
      <Code code={payerInstall(family)} name="Install" language="shellscript" />
      <Code code={payerSetup(setup) + first} rest={rest} name="With @x402/fetch" language="typescript" />
      <Code code={command.slice(0, url)} rest={[command.slice(url)]} name="Check the price with curl" language="shellscript" />
      <p className={NOTE}>
        The first response is 402 with the price; the client signs a transfer and retries.
        {accepts.some(isMaximum) ? ' The merchant charges what was used, never more than was signed.' : ''}
        {accepts.some(isByChannel) ? ' Through a channel the first call deposits, and each further one costs a signature.' : ''}
        {isTemplate(resource) ? ' Replace the parts that begin with a colon or stand in braces.' : ''}
      </p>
    </section>
  )
}

function WayToPay({ accept, hasPrice }: { accept: Accept; hasPrice: boolean }) {
  const { network, asset, payTo, maxAmountRequired } = accept
  const token = tokenOf(accept)
  const deposit = isByChannel(accept) ? leastDepositOf(accept) : null
  return (
    <dl className={FACTS}>
      <Fact name="Network">
        {networkTitle(network)}
        {hasPrice ? (
          <span className="text-soft">
            {' '}
            · {isMaximum(accept) ? UP_TO : ''}
            {moneyText(maxAmountRequired, token)}
          </span>
        ) : null}
      </Fact>
      {isByChannel(accept) ? (
        <Fact name="Channel">{deposit === null ? 'One deposit, many calls' : `Deposit from ${moneyText(deposit, token)}`}</Fact>
      ) : null}
      <Fact name="Asset">
        {token.symbol}
        <Address network={network} address={asset} name="asset" />
        <CopyButton text={asset} className="-m-[0.4rem]" />
      </Fact>
      <Fact name="Recipient">
        <Address network={network} address={payTo} name="recipient" />
        <CopyButton text={payTo} className="-m-[0.4rem]" />
      </Fact>
    </dl>
  )
}

const FACTS =
  'grid grid-cols-[5rem_minmax(0,1fr)] items-center gap-x-3 gap-y-[0.45rem] border-t px-[1.1rem] py-[0.9rem] text-[0.9rem]'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="flex min-w-0 items-center gap-2">{children}</dd>
    </>
  )
}

function Address({ network, address, name }: { network: string; address: string; name: string }) {
  const url = addressUrl(network, address)
  const short = (
    <code title={address} className="text-[0.8rem] wrap-anywhere">
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
