import type { App } from '../app'
import { listingFor } from '../discovery/catalog'
import { rulesOf } from '../payments/judging'
import { displayAddress } from '../x402/addresses'
import { inDecimals } from '../x402/networks/amounts'
import { assetIn } from '../x402/networks/assets'
import { networkRow } from '../x402/networks/networks'
import type { Payment } from '../x402/payment'
import { failure, svmFailure } from '../x402/reasons/reasons'
import type { EvmRule } from '../x402/schemes/evm-method'
import { formRules, type Rule } from '../x402/schemes/exact/svm/form'
import { evmSchemeOf } from '../x402/schemes/schemes'
import { type Check, checksOf, failed, notReached, passed, type Reading } from './checks'
import { admissionChecks, type CallerOf } from './judged'
import type { Json } from './recognize'
import { timeToPay } from './time-to-pay'
import { money } from './units'

/** Above it, clients of version 2 refuse to pay by default; those of version 1 above a tenth of it. */
const CLIENT_LIMIT = 1_000_000n

/** The checks of the terms of one offer: by the rules that judge a payment's requirements. */
export function termChecks(app: App, callerOf: CallerOf, answer: Json, payment: Payment): Check[] {
  const caller = callerOf(payment)
  const { amount, network, payTo } = payment
  const asset = assetIn(payment)
  const limit =
    amount > inDecimals(CLIENT_LIMIT, asset.decimals, 'down')
      ? ` Official clients refuse more than 1 ${asset.symbol} by default.`
      : ''
  const ofPayer = new Set(['two_wallets'])
  return [
    passed('offer', `It asks for ${money(amount, asset)} on ${networkRow(network).title} to ${displayAddress(payTo)}.${limit}`),
    nameCheck(answer, payment),
    ...timeoutChecks(payment),
    ...admissionChecks(app, caller, payment).filter(({ name }) => !ofPayer.has(name)),
    ...(networkRow(network).family === 'svm' ? feePayerChecks(app, callerOf, payment) : domainChecks(payment)),
    listingCheck(app, payment),
  ]
}

// A client of version 1 knows short names only, one of version 2 CAIP-2 ids only.
function nameCheck({ x402Version }: Json, { network, spelling }: Payment): Check {
  const wanted = x402Version === 1 ? networkRow(network).name : network
  const evidence = `network is "${spelling}"; clients of version ${x402Version === 1 ? 1 : 2} know "${wanted}".`
  return spelling === wanted
    ? passed('network_name', evidence)
    : failed('network_name', null, evidence, 'The merchant must write the network as this version names it.')
}

function timeoutChecks(payment: Payment): Check[] {
  const time = timeToPay(payment)
  if (!time) return []
  const { maxTimeoutSeconds, margin, remedy } = time
  const evidence = `maxTimeoutSeconds is ${maxTimeoutSeconds}; a payment must still be valid for ${margin} s when it arrives.`
  return [remedy === null ? passed('time_to_pay', evidence) : failed('time_to_pay', null, evidence, remedy)]
}

const OF_TERMS: ReadonlySet<string> = new Set(['scheme_served', 'scheme', 'token_domain', 'fee_payer', 'fee_payer_served'])
const NOW = { earliest: 0n, latest: 0n }

function domainChecks(payment: Payment): Check[] {
  const rules: readonly EvmRule<Payment>[] = evmSchemeOf(payment).formRules.filter(({ name }) => OF_TERMS.has(name))
  const form = rules.map((rule): Reading => {
    const { name, needs } = rule
    return { name, needs, fault: rule.broken(payment, NOW) ? failure(rule.reason(payment)) : null }
  })
  const { network, domain } = payment
  const row = networkRow(network)
  if (row.family !== 'evm') return []
  const { domain: its } = row.assets.find(({ address }) => address === payment.asset) ?? row.assets[0]
  const own = domain?.name === its.name && domain.version === its.version
  const token: Reading = {
    name: 'token_name',
    needs: 'token_domain',
    fault: own ? null : failure('invalid_exact_evm_token_name_mismatch'),
  }
  const evidence: Record<string, string> = {
    token_domain: domain
      ? `extra.name is "${domain.name}", extra.version is "${domain.version}".`
      : 'extra lacks a name or a version.',
    token_name: `The token calls itself "${its.name}", version "${its.version}".`,
  }
  // Permit2 has a domain of its own.
  const named = rules.some(({ name }) => name === 'token_domain') ? [token] : []
  return checksOf([...form, ...named], (name) => evidence[name] ?? schemeOf(payment))
}

function feePayerChecks(app: App, callerOf: CallerOf, payment: Payment): Check[] {
  const rules = rulesOf(app, callerOf(payment).tier, payment)
  const ofTerms: readonly Rule<Payment>[] = formRules.filter(({ name }) => OF_TERMS.has(name))
  const readings = ofTerms.map(({ name, needs, reason, broken }): Reading => {
    const how = broken(payment, rules)
    return { name, needs, fault: how ? svmFailure(payment, reason, how === true ? undefined : how) : null }
  })
  const { feePayer } = payment.declared.extra ?? {}
  const evidence = typeof feePayer === 'string' ? `extra.feePayer is ${feePayer}.` : 'extra has no feePayer.'
  return checksOf(readings, (name) => (name.startsWith('fee_payer') ? evidence : schemeOf(payment)))
}

const schemeOf = ({ scheme }: Payment) => `The scheme is "${scheme}".`

const DECLARE = 'To be listed, declare extensions.bazaar (version 2) or outputSchema (version 1), and be paid once.'

function listingCheck(app: App, payment: Payment): Check {
  const listing = listingFor(app, payment)
  if (listing === null) return notReached('listing', 'It declares nothing for the catalog, so it is not listed.', DECLARE)
  if ('rejected' in listing) return failed('listing', null, `The catalog would not list it: ${listing.rejected}.`, DECLARE)
  return passed('listing', `The first paid call would list ${listing.url}.`)
}
