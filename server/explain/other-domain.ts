import { recoveredSigner } from '../chains/evm/judgement'
import { isEvmNetwork, networkIds, networkRow } from '../x402/networks/networks'
import type { EvmPayment } from '../x402/payment'

/** Recovering a signer takes up to a millisecond. */
const TRIES_MAX = 40

type Terms = Pick<EvmPayment, 'network' | 'asset'> & { domain: { name: string; version: string } }

/**
 * Says under which other domain or on which other network the payer's signature holds: of this token under the names of other tokens, then
 * of the tokens of other networks. Null where it holds nowhere.
 */
export function otherDomain(payment: EvmPayment): { evidence: string; remedy: string } | null {
  const { from } = payment.transfer.authorization
  const found = candidates(payment)
    .slice(0, TRIES_MAX)
    .find((terms) => recoveredSigner({ ...payment, ...terms }) === from)
  if (!found) return null
  const { title } = networkRow(found.network)
  const own = networkRow(payment.network)
  const evidence = `It is a signature of "from" for ${title} with the domain ${domainText(found.domain)}.`
  const wanted = payment.domain ? ` with the domain ${domainText(payment.domain)}` : ''
  return { evidence, remedy: `The payer's client must sign for ${own.title}${wanted}, as the requirements say.` }
}

const domainText = ({ name, version }: Terms['domain']) => `"${name}", version "${version}"`

function candidates({ network, asset, domain }: EvmPayment): Terms[] {
  const tokens = networkIds
    .filter(isEvmNetwork)
    .flatMap((id) => networkRow(id).assets.map((one): Terms => ({ network: id, asset: one.address, domain: one.domain })))
  const names = new Map(tokens.map((terms) => [domainText(terms.domain), terms.domain]))
  if (domain) names.delete(domainText(domain))
  return [...[...names.values()].map((other): Terms => ({ network, asset, domain: other })), ...tokens]
}
