import { type Examination, judgeLocally, recoveredSigner, signedByKey } from '../chains/evm/judgement'
import { displayAddress } from '../x402/addresses'
import { networkRow } from '../x402/networks/networks'
import { type EvmPayment, isEvmPayment, type Payment } from '../x402/payment'
import { failure } from '../x402/reasons/reasons'
import type { Clock, EvmMethod, EvmRule } from '../x402/schemes/evm-method'
import { methodOf } from '../x402/schemes/evm-methods'
import { USUAL_SCHEME } from '../x402/schemes/scheme-names'
import { evmSchemeOf } from '../x402/schemes/schemes'
import { type Check, checksOf, failed, noneReached, notReached, passed, type Reading } from './checks'
import { evidenceOf, formEvidence } from './evm-evidence'
import { otherDomain } from './other-domain'
import { timeToPay } from './time-to-pay'
import { moment } from './units'

/** What the chain says of a payment; without an examination, the check that says why it was not read. */
export type ChainResult<E> = { examined: E } | { examined: null; chain: Check }

/** Every check of an EVM payment behind its admission, in the order of the judge. */
export function evmChecks(payment: Payment, now: bigint, onChain: ChainResult<Examination>): Check[] {
  const clock = onChain.examined?.clock ?? { earliest: now, latest: now }
  if (!isEvmPayment(payment)) {
    const { formRules, usual } = evmSchemeOf(payment)
    const form = checksOf(readingsOf(formRules, payment, clock), (name) => formEvidence(payment)[name] ?? null)
    return [...form, ...noneReached(namesBehind(usual), 'The payment holds no authorization that can be read.')]
  }
  const method = methodOf(payment)
  const evidence = { ...formEvidence(payment), ...evidenceOf(payment, clock) }
  const rules = [...method.formRules, ...method.termRules]
  const local = checksOf(readingsOf(rules, payment, clock), (name) => evidence[name] ?? null)
  const form = local.slice(0, method.formRules.length)
  const terms = local.slice(method.formRules.length).map((check) => inTime(payment, check))
  const { examined } = onChain
  const before = [...form, examined ? passed('chain', blockOf(payment, examined)) : onChain.chain]
  if (examined) {
    const judged = [...before, signatureOnChain(payment, examined), ...terms]
    return [...judged, ...stateChecks(payment, examined, judged)]
  }
  return [...before, localSignature(payment, now), ...terms, ...noneReached(stateNames(method), onChain.chain.evidence)]
}

// Signed for as long as the merchant allows, which may be too short for anyone.
function inTime(payment: EvmPayment, check: Check): Check {
  const isLate = check.status === 'failed' && (check.name === 'valid_before' || check.name === 'deadline')
  const remedy = isLate ? timeToPay(payment)?.remedy : null
  return remedy ? { ...check, remedy } : check
}

const stateNames = ({ stateRules }: EvmMethod) => stateRules.map(({ name }) => name)
const namesBehind = (method: EvmMethod) => [
  'chain',
  'signature',
  ...method.termRules.map(({ name }) => name),
  ...stateNames(method),
]

const { formRules: usualRules, usual: usualMethod } = evmSchemeOf({ scheme: USUAL_SCHEME })

/** The names of these checks in their order, for a payment whose method is not known. */
export const EVM_CHECKS: readonly string[] = [...usualRules.map(({ name }) => name), ...namesBehind(usualMethod)]

function readingsOf<P extends Payment | EvmPayment>(rules: readonly EvmRule<P>[], payment: P, clock: Clock): Reading[] {
  return rules.map((rule) => ({
    name: rule.name,
    needs: rule.needs,
    fault: rule.broken(payment, clock) ? failure(rule.reason(payment)) : null,
  }))
}

function localSignature(payment: EvmPayment, now: bigint): Check {
  const { digest, reasons } = methodOf(payment)
  if (digest(payment) === null) return notReached('signature', "Without the token's domain no signature can be checked.")
  if (signedByKey(payment)) return passed('signature', signerOf(payment))
  const judged = judgeLocally(payment, now)
  if (judged.verdict === 'failed' && judged.reason === reasons.signature) {
    return unfit(payment, judged.reason, `${judged.message} ${signerOf(payment)}`)
  }
  return notReached(
    'signature',
    `${signerOf(payment)} Only code at the payer's address could approve it, and the chain was not read.`,
  )
}

function signatureOnChain(payment: EvmPayment, { signatureFault, facts }: Examination): Check {
  const code = facts.hasCode
    ? "The payer's address has code, which decides."
    : facts.deployed !== null
      ? `Its factory ${facts.deployed ? 'puts code there, which decides' : 'puts no code there'}.`
      : signedByKey(payment)
        ? ''
        : "The payer's address has no code that could approve it."
  const evidence = [signerOf(payment), code].filter(Boolean).join(' ')
  if (!signatureFault) return passed('signature', evidence)
  return unfit(payment, signatureFault.reason, `${signatureFault.message} ${evidence}`)
}

/** A failed signature, with the domain or the network for which it holds. */
function unfit(payment: EvmPayment, reason: string, evidence: string): Check {
  const other = otherDomain(payment)
  return other
    ? failed('signature', reason, `${evidence} ${other.evidence}`, other.remedy)
    : failed('signature', reason, evidence)
}

function signerOf(payment: EvmPayment): string {
  const { authorization } = payment.transfer
  const signer = recoveredSigner(payment)
  if (signer === null) return 'No private key could have made this signature.'
  if (signer === authorization.from) return `The signature recovers to ${displayAddress(signer)}, which is "from".`
  return `The signature recovers to ${displayAddress(signer)}; "from" is ${displayAddress(authorization.from)}.`
}

const blockOf = ({ network }: Payment, { facts }: Examination) =>
  `Block ${facts.block} of ${networkRow(network).title} was read; its time is ${moment(facts.blockTime)}.`

function stateChecks(payment: EvmPayment, { facts, clock }: Examination, before: readonly Check[]): Check[] {
  const readings = methodOf(payment).stateRules.map((rule): Reading => {
    const how = rule.broken(payment, facts)
    return { name: rule.name, needs: rule.needs, fault: how ? failure(rule.reason, how === true ? undefined : how) : null }
  })
  const evidence = evidenceOf(payment, clock, facts)
  const checks = checksOf(readings, (name) => evidence[name] ?? null)
  const simulated = checks.at(-1)
  // Its own remedy is for a cause that no other rule names.
  const cause = [...before, ...checks.slice(0, -1)].find(({ status }) => status === 'failed')
  if (simulated?.status !== 'failed' || !cause) return checks
  return [...checks.slice(0, -1), { ...simulated, remedy: `Fix the check "${cause.title}": the transfer fails with it.` }]
}
