import { type Hex, parseErc6492Signature } from 'viem'
import type { Eip3009Payment } from '../../x402/payment'
import { type Failure, failure, type Reason } from '../../x402/reasons'
import { authorizationHash, brokenForm, brokenTerms, type Clock, namesOwnDomain } from '../../x402/schemes/exact-evm/rules'
import { isErc6492, normalSignature, readEcdsa } from '../../x402/signatures'
import type { Rpc } from '../rpc'
import type { Proof } from './calldata'
import { type Facts, readFacts } from './facts'
import { recoverAddress } from './signer'

/**
 * A judged payment. `proof`: how its signature holds; `signature`: the unwrapped one to send; `block`: the newest one. A failure names
 * the payer only after its signature was proven.
 */
export type Judgement =
  | { valid: true; proof: Proof; signature: Hex; baseFee: bigint; block: bigint }
  | ({ valid: false; proven: boolean } & Failure)

/** The maximum size of a wallet's signature: more would not fit in the gas of its transfer. */
const SIGNATURE_BYTES_MAX = 2_048

/**
 * The checks that need no node: form, local signature recovery, terms. `open`: the key did not sign, so only code at the payer's
 * address can approve.
 */
export function judgeLocally(
  payment: Eip3009Payment,
  now: bigint,
): { verdict: 'open' | 'passed' } | ({ verdict: 'failed'; proven: boolean } & Failure) {
  const form = brokenForm(payment)
  if (form) return { verdict: 'failed', proven: false, ...form }
  if (!signedByKey(payment)) {
    const tooLong = innerSignature(payment.transfer.signature).length > 2 + 2 * SIGNATURE_BYTES_MAX
    return tooLong ? { verdict: 'failed', proven: false, ...failure('invalid_exact_evm_signature') } : { verdict: 'open' }
  }
  const terms = brokenTerms(payment, { earliest: now, latest: now })
  return terms ? { verdict: 'failed', proven: true, ...terms } : { verdict: 'passed' }
}

// Checked before the chain is read and again with its response: the curve is the most expensive part of a judgement.
const proven = new WeakMap<Eip3009Payment, boolean>()

/** Whether the payer's own key made the signature. */
export function signedByKey(payment: Eip3009Payment): boolean {
  const known = proven.get(payment)
  if (known !== undefined) return known
  const byKey = recoversPayer(payment)
  proven.set(payment, byKey)
  return byKey
}

function recoversPayer(payment: Eip3009Payment): boolean {
  return recoveredSigner(payment) === payment.transfer.authorization.from
}

/** The address whose key made the signature under the domain of the requirements. Null without one, as for a wallet with code. */
export function recoveredSigner(payment: Eip3009Payment): Hex | null {
  const hash = authorizationHash(payment)
  const ecdsa = readEcdsa(payment.transfer.signature)
  return hash === null || ecdsa === null ? null : recoverAddress(hash, ecdsa)
}

/**
 * The full judgement on the newest block, in the official order, in one round trip: payer code, token state and a simulation. Throws
 * `upstream` when the node does not answer.
 */
export async function judgeOnChain(rpc: Rpc, payment: Eip3009Payment, now: bigint): Promise<Judgement> {
  return (await examineOnChain(rpc, payment, now)).judgement
}

/** A judgement with what it was made from. */
export type Examination = { judgement: Judgement; facts: Facts; clock: Clock; signatureFault: Failure | null }

/** As `judgeOnChain`, with what the chain said. */
export async function examineOnChain(rpc: Rpc, payment: Eip3009Payment, now: bigint): Promise<Examination> {
  const byKey = signedByKey(payment)
  // The same form for simulation and transaction: a wallet with code may refuse the other v.
  const signature = byKey ? normalSignature(payment.transfer.signature) : innerSignature(payment.transfer.signature)
  const facts = await readFacts(rpc, payment, signature, byKey)
  const clock = clockAt(now, facts.blockTime)

  const signatureFault = judgeSignature(payment, facts, byKey)
  const judged = (judgement: Judgement): Examination => ({ judgement, facts, clock, signatureFault })
  if (signatureFault) return judged({ valid: false, proven: false, ...signatureFault })
  const fault = brokenTerms(payment, clock) ?? judgeState(payment, facts)
  if (fault) return judged({ valid: false, proven: true, ...fault })
  const { hasCode, baseFee, block } = facts
  return judged({ valid: true, proof: hasCode ? 'code' : 'key', signature, baseFee, block })
}

/** The time for which terms must hold: by the clock, and in the newest block if that is later. Unix seconds. */
export function clockAt(now: bigint, blockTime: bigint): Clock {
  return { earliest: now, latest: blockTime > now ? blockTime : now }
}

function innerSignature(signature: Hex): Hex {
  if (!isErc6492(signature)) return signature
  try {
    return parseErc6492Signature(signature).signature
  } catch {
    // Only its end looks like a wrapper: the bytes stay as they are.
    return signature
  }
}

function judgeSignature(payment: Eip3009Payment, facts: Facts, byKey: boolean): Failure | null {
  if (facts.hasCode) {
    const { walletAgrees, simulation } = facts
    // The token calls the wallet under its own domain, so a passed simulation proves the signature.
    if (walletAgrees || (simulation.ok && namesOwnDomain(payment))) return null
    const failsOtherwise = byKey && !simulation.ok && !/invalid signature/i.test(simulation.message)
    return failsOtherwise ? null : failure('invalid_exact_evm_signature')
  }
  if (byKey) return null
  return failure(isErc6492(payment.transfer.signature) ? 'eip6492_factory_not_allowed' : 'invalid_exact_evm_signature')
}

/** A rule about the chain's state. `needs`: a broken rule after which this one says nothing new. */
export type StateRule = {
  name: string
  needs?: string
  reason: Reason
  /** Whether it is broken, or a sentence that says how. */
  broken: (payment: Eip3009Payment, facts: Facts) => boolean | string
}

const failing = ({ simulation }: Facts) => !simulation.ok

/** The rules about the chain's state, in the official order. A transfer that succeeds in the simulation breaks none but the first. */
export const stateRules = [
  { name: 'asset_contract', reason: 'asset_not_deployed_contract', broken: (_, { assetHasCode }) => !assetHasCode },
  {
    name: 'eip3009',
    needs: 'asset_contract',
    reason: 'invalid_exact_evm_eip3009_not_supported',
    broken: (_, facts) => failing(facts) && facts.used === null,
  },
  {
    name: 'nonce',
    needs: 'eip3009',
    reason: 'invalid_exact_evm_nonce_already_used',
    broken: (_, facts) => failing(facts) && facts.used === true,
  },
  {
    name: 'balance',
    needs: 'asset_contract',
    reason: 'invalid_exact_evm_insufficient_balance',
    broken: ({ transfer }, facts) => failing(facts) && facts.balance !== null && facts.balance < transfer.authorization.value,
  },
  {
    name: 'valid_after_in_block',
    reason: 'invalid_exact_evm_payload_authorization_valid_after',
    broken: ({ transfer }, facts) => failing(facts) && transfer.authorization.validAfter >= facts.blockTime,
  },
  {
    name: 'simulation',
    reason: 'invalid_exact_evm_transaction_simulation_failed',
    broken: (_, { simulation }) => {
      if (simulation.ok) return false
      return simulation.message === '' || `The transfer would fail on chain: ${simulation.message}`
    },
  },
] as const satisfies readonly StateRule[]

function judgeState(payment: Eip3009Payment, facts: Facts): Failure | null {
  for (const { reason, broken } of stateRules) {
    const how = broken(payment, facts)
    if (how) return failure(reason, how === true ? undefined : how)
  }
  return null
}
