import { type Examination, judgeLocally, recoveredSigner, type StateRule, signedByKey, stateRules } from '../chains/evm/judgement'
import { displayAddress } from '../x402/addresses'
import { assetIn } from '../x402/assets'
import { mainAsset, networkRow } from '../x402/networks'
import { type Eip3009Payment, isEip3009, type Payment } from '../x402/payment'
import { failure } from '../x402/reasons'
import { type Clock, type EvmRule, evmFormRules, evmTermRules } from '../x402/schemes/exact-evm/rules'
import { type Check, checksOf, failed, noneReached, notReached, passed, type Reading } from './checks'
import { distance, moment, money } from './units'

/** What the chain said of a payment, where it was asked; else why it was not. */
export type Asked<E> = { examined: E } | { examined: null; chain: Check }

/** Every check of an EVM payment behind its admission, in the order of the judge. */
export function evmChecks(payment: Payment, now: bigint, asked: Asked<Examination>): Check[] {
  const clock = asked.examined?.clock ?? { earliest: now, latest: now }
  const form = checksOf(readingsOf(evmFormRules, payment, clock), (name) => formEvidence(payment)[name] ?? null)
  if (!isEip3009(payment)) {
    return [...form, ...noneReached(['chain', 'signature', ...TERMS, ...STATE], 'The payment holds no EIP-3009 authorization.')]
  }
  const terms = checksOf(
    [...readingsOf(evmFormRules, payment, clock), ...readingsOf(evmTermRules, payment, clock)],
    (name) => termEvidence(payment, clock)[name] ?? null,
  ).slice(evmFormRules.length)
  const { examined } = asked
  const before = [...form, examined ? passed('chain', blockOf(payment, examined)) : asked.chain]
  if (!examined) return [...before, localSignature(payment, now), ...terms, ...noneReached(STATE, asked.chain.evidence)]
  return [...before, signatureOnChain(payment, examined), ...terms, ...stateChecks(payment, examined)]
}

const TERMS = evmTermRules.map(({ name }) => name)
const STATE = stateRules.map(({ name }) => name)

/** The names of these checks in their order. */
export const EVM_CHECKS: readonly string[] = [...evmFormRules.map(({ name }) => name), 'chain', 'signature', ...TERMS, ...STATE]

function readingsOf<P extends Payment | Eip3009Payment>(rules: readonly EvmRule<P>[], payment: P, clock: Clock): Reading[] {
  return rules.map(({ name, needs, reason, broken }) => ({
    name,
    needs,
    fault: broken(payment, clock) ? failure(reason(payment)) : null,
  }))
}

function formEvidence({ scheme, claimed, domain, network, transfer }: Payment): Record<string, string> {
  return {
    payload_type:
      transfer.kind === 'permit2' ? 'The payload is a Permit2 authorization.' : 'The payload is no Permit2 authorization.',
    scheme_served: `The requirements ask for the scheme "${scheme}".`,
    scheme: `The payment names "${claimed.scheme}", the requirements name "${scheme}".`,
    token_domain: domain ? `extra names "${domain.name}", version "${domain.version}".` : 'extra lacks a name or a version.',
    network: `The payment names ${claimed.network}, the requirements name ${network}.`,
  } satisfies Record<(typeof evmFormRules)[number]['name'], string>
}

function termEvidence({ transfer, ...payment }: Eip3009Payment, { earliest, latest }: Clock): Record<string, string> {
  const { to, value, validBefore, validAfter } = transfer.authorization
  const own = mainAsset(payment.network).domain
  const token = assetIn(payment)
  return {
    recipient: `The authorization pays ${displayAddress(to)}; payTo is ${displayAddress(payment.payTo)}.`,
    valid_before: `validBefore is ${moment(validBefore)}, ${distance(validBefore, latest)} the clock.`,
    valid_after: `validAfter is ${moment(validAfter)}, ${distance(validAfter, earliest)} the clock.`,
    amount: `The authorization is over ${money(value, token)}; the requirements ask for ${money(payment.amount, token)}.`,
    token_name: `extra.name is "${payment.domain?.name}"; the token calls itself "${own.name}".`,
    token_version: `extra.version is "${payment.domain?.version}"; the token has "${own.version}".`,
  } satisfies Record<(typeof evmTermRules)[number]['name'], string>
}

function localSignature(payment: Eip3009Payment, now: bigint): Check {
  if (!payment.domain) return notReached('signature', 'Without the token’s domain no signature can be checked.')
  if (signedByKey(payment)) return passed('signature', signerOf(payment))
  const judged = judgeLocally(payment, now)
  if (judged.verdict === 'failed' && judged.reason === 'invalid_exact_evm_signature') {
    return failed('signature', judged.reason, `${judged.message} ${signerOf(payment)}`)
  }
  return notReached(
    'signature',
    `${signerOf(payment)} Only code at the payer’s address could approve it, and the chain was not read.`,
  )
}

function signatureOnChain(payment: Eip3009Payment, { signatureFault, facts }: Examination): Check {
  const code = facts.hasCode
    ? 'The payer’s address has code, which decides.'
    : signedByKey(payment)
      ? ''
      : 'The payer’s address has no code that could approve it.'
  const evidence = [signerOf(payment), code].filter(Boolean).join(' ')
  if (!signatureFault) return passed('signature', evidence)
  return failed('signature', signatureFault.reason, `${signatureFault.message} ${evidence}`)
}

function signerOf(payment: Eip3009Payment): string {
  const { signature, authorization } = payment.transfer
  const signer = recoveredSigner(payment)
  if (signer === null) return `The signature of ${(signature.length - 2) / 2} bytes is not one of a key.`
  if (signer === authorization.from) return `The signature recovers to ${displayAddress(signer)}, which is "from".`
  return `The signature recovers to ${displayAddress(signer)}; "from" is ${displayAddress(authorization.from)}.`
}

const blockOf = ({ network }: Payment, { facts }: Examination) =>
  `Block ${facts.block} of ${networkRow(network).title} was read; its time is ${moment(facts.blockTime)}.`

function stateChecks(payment: Eip3009Payment, { facts }: Examination): Check[] {
  const rules: readonly StateRule[] = stateRules
  const readings = rules.map(({ name, needs, reason, broken }): Reading => {
    const how = broken(payment, facts)
    return { name, needs, fault: how ? failure(reason, how === true ? undefined : how) : null }
  })
  const checks = checksOf(readings, (name) => stateEvidence(payment, facts)[name] ?? null)
  const simulated = checks.at(-1)
  // Its own remedy is for a cause that no other rule names: here another check has the cause.
  const isExplained = simulated?.status === 'failed' && checks.filter(({ status }) => status === 'failed').length > 1
  return isExplained ? [...checks.slice(0, -1), { ...simulated, remedy: null }] : checks
}

function stateEvidence({ network, asset, transfer }: Eip3009Payment, facts: Examination['facts']): Record<string, string> {
  const { value, validAfter, nonce } = transfer.authorization
  const { balance, used, block, blockTime, simulation } = facts
  const token = assetIn({ network, asset })
  const missing = balance !== null && balance < value ? `, ${money(value - balance, token)} short` : ''
  return {
    asset_contract: `${displayAddress(asset)} has ${facts.assetHasCode ? '' : 'no '}code in block ${block}.`,
    eip3009: used === null ? 'The token did not say whether the nonce is used.' : 'The token answers authorizationState.',
    nonce:
      used === null
        ? 'Its state is unknown.'
        : `The nonce ${nonce} is ${used ? 'used or cancelled' : 'unused'} in block ${block}.`,
    balance:
      balance === null
        ? 'The token did not name a balance.'
        : `The payer has ${money(balance, token)} in block ${block}; the payment needs ${money(value, token)}${missing}.`,
    valid_after_in_block: `validAfter is ${moment(validAfter)}, ${distance(validAfter, blockTime)} block ${block}.`,
    simulation: simulation.ok ? `The transfer succeeds on block ${block}.` : `The transfer fails on block ${block}.`,
  } satisfies Record<(typeof stateRules)[number]['name'], string>
}
