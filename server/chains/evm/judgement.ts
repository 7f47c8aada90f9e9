import { type Hex, parseErc6492Signature, size } from 'viem'
import { networkRow } from '../../x402/networks/networks'
import type { EvmPayment } from '../../x402/payment'
import { type Failure, failure } from '../../x402/reasons/reasons'
import type { Clock, Cosigned, SignedTransfer, State } from '../../x402/schemes/evm-method'
import { brokenForm, brokenTerms, methodOf } from '../../x402/schemes/evm-methods'
import type { Deployment, Proven } from '../../x402/schemes/evm-signed'
import { isErc6492, normalSignature, readEcdsa } from '../../x402/signatures'
import { type Rpc, unreachable } from '../rpc'
import { judgeApproval } from './approvals'
import { codeApproves, type Facts, readFacts } from './facts'
import { recoverAddress } from './signer'

/**
 * A judged payment: the transfer to send, and the newest block with its base fee; of a deposit also its
 * channel before it. A failure names the payer only after its signature was
 * proven.
 */
export type Judgement =
  | { valid: true; transfer: SignedTransfer; baseFee: bigint; block: bigint; channel?: State['channel'] }
  | ({ valid: false; proven: boolean } & Failure)

/** The maximum size of a wallet's signature: more would not fit in the gas of its transfer. And of the call that deploys it. */
export const SIGNATURE_BYTES_MAX = 2_048
const DEPLOYMENT_BYTES_MAX = 4_096

/** The factories whose wallets may pay before they are deployed: their addresses in lower case. */
export type Factories = ReadonlySet<string>

/**
 * The checks that need no node: form, local signature recovery, terms. `open`: the key did not sign, so only code at the payer's
 * address can approve.
 */
export function judgeLocally(
  payment: EvmPayment,
  now: bigint,
): { verdict: 'open' | 'passed' } | ({ verdict: 'failed'; proven: boolean } & Failure) {
  const clock = { earliest: now, latest: now }
  const form = brokenForm(payment, clock)
  if (form) return { verdict: 'failed', proven: false, ...form }
  if (!signedByKey(payment)) {
    const { signature, deployment } = unwrapped(payment.transfer.signature)
    const tooLong = size(signature) > SIGNATURE_BYTES_MAX || size(deployment?.data ?? '0x') > DEPLOYMENT_BYTES_MAX
    return tooLong ? { verdict: 'failed', proven: false, ...failure(methodOf(payment).reasons.signature) } : { verdict: 'open' }
  }
  const terms = brokenTerms(payment, clock) ?? brokenCosignature(payment, null)
  return terms ? { verdict: 'failed', proven: true, ...terms } : { verdict: 'passed' }
}

/**
 * Why another signature that the payer sent along does not hold. Null when all do, or there is none. `hasCode`: whether the payer's address
 * has code, null while that is not known: then a signature that code may approve counts as one that holds.
 */
function brokenCosignature(payment: EvmPayment, hasCode: boolean | null): Failure | null {
  const broken = methodOf(payment)
    .cosigned(payment)
    .find((one) => !isMadeBy(one) && (one.wallet === null || hasCode === false))
  return broken ? failure(broken.reason) : null
}

/** Whether the key of the account that it names made a signature. */
export const isMadeBy = ({ hash, signature, by }: Pick<Cosigned, 'hash' | 'signature' | 'by'>): boolean =>
  signature !== null && recoverAddress(hash, signature) === by

/** The first signature that the code of the payer must approve and does not. Throws when the node does not answer. */
async function refusedByWallet(rpc: Rpc, payment: EvmPayment): Promise<Failure | null> {
  for (const { by, hash, wallet, reason } of methodOf(payment).cosigned(payment)) {
    if (wallet === null) continue
    if (size(wallet) > SIGNATURE_BYTES_MAX) return failure(reason)
    if (!(await codeApproves(rpc, { wallet: by, hash, signature: wallet }))) return failure(reason)
  }
  return null
}

// Checked before the chain is read and again with its response: the curve is the most expensive part of a judgement.
const proven = new WeakMap<EvmPayment, boolean>()

/** Whether the payer's own key made the signature. */
export function signedByKey(payment: EvmPayment): boolean {
  const known = proven.get(payment)
  if (known !== undefined) return known
  const byKey = recoversPayer(payment)
  proven.set(payment, byKey)
  return byKey
}

function recoversPayer(payment: EvmPayment): boolean {
  return recoveredSigner(payment) === payment.transfer.authorization.from
}

/** The address whose key made the signature under the domain of the requirements. Null without one, as for a wallet with code. */
export function recoveredSigner(payment: EvmPayment): Hex | null {
  const hash = methodOf(payment).digest(payment)
  const ecdsa = readEcdsa(payment.transfer.signature)
  return hash === null || ecdsa === null ? null : recoverAddress(hash, ecdsa)
}

/**
 * The full judgement on the newest block, in the official order, in one round trip: payer code, token state and a simulation. Throws
 * `upstream` when the node does not answer.
 */
export async function judgeOnChain(rpc: Rpc, payment: EvmPayment, now: bigint, factories?: Factories): Promise<Judgement> {
  return (await examineOnChain(rpc, payment, now, factories)).judgement
}

/** A judgement with what it was made from. */
export type Examination = { judgement: Judgement; facts: Facts; clock: Clock; signatureFault: Failure | null }

/** As `judgeOnChain`, with what the chain said. */
export async function examineOnChain(
  rpc: Rpc,
  payment: EvmPayment,
  now: bigint,
  factories: Factories = new Set(),
): Promise<Examination> {
  const { facts, proven } = await read(rpc, payment, factories)
  const byKey = proven.byKey === true
  const clock = clockAt(now, facts.blockTime)

  const stateFault = judgeState(payment, facts)
  const signatureFault = judgeSignature(payment, facts, { byKey, stateFault })
  const asked = <T>(answer: Promise<T>): Promise<T> =>
    answer.catch((cause: unknown) => {
      throw unreachable(networkRow(payment.network).title, cause)
    })
  const judged = (judgement: Judgement): Examination => ({ judgement, facts, clock, signatureFault })
  const formFault = brokenForm(payment, clock) ?? signatureFault
  if (formFault) return judged({ valid: false, proven: false, ...formFault })
  const cosignature =
    brokenCosignature(payment, facts.hasCode) ?? (facts.hasCode ? await asked(refusedByWallet(rpc, payment)) : null)
  const fault = brokenTerms(payment, clock) ?? cosignature ?? stateFault
  if (fault) return judged({ valid: false, proven: true, ...fault })
  const { hasCode, baseFee, block } = facts
  const proof = proven.proof === 'factory' ? 'factory' : hasCode ? 'code' : 'key'
  const transfer = methodOf(payment).transfer(payment, { ...proven, proof }, facts)
  const approvalFault = await asked(judgeApproval(rpc, payment.network, transfer, baseFee))
  if (approvalFault) return judged({ valid: false, proven: true, ...approvalFault })
  return judged({ valid: true, transfer, baseFee, block, ...(facts.channel ? { channel: facts.channel } : {}) })
}

/** What the chain says of a payment, and how its signature would be proven. */
async function read(rpc: Rpc, payment: EvmPayment, factories: Factories): Promise<{ facts: Facts; proven: Proven }> {
  const byKey = signedByKey(payment)
  const { signature, deployment } = unwrapped(payment.transfer.signature)
  // The same form for simulation and transaction: a wallet with code may refuse the other v.
  const proven: Proven = byKey
    ? { proof: 'key', signature: normalSignature(payment.transfer.signature), byKey }
    : { proof: 'code', signature, byKey }
  if (!byKey && deployment && methodOf(payment).deploys && factories.has(deployment.factory)) {
    const deploying: Proven = { ...proven, proof: 'factory', deployment }
    const facts = await readFacts(rpc, payment, deploying)
    if (!facts.hasCode) return { facts, proven: deploying }
  }
  return { facts: await readFacts(rpc, payment, proven), proven }
}

/** The time for which terms must hold: by the clock, and in the newest block if that is later. Unix seconds. */
export function clockAt(now: bigint, blockTime: bigint): Clock {
  return { earliest: now, latest: blockTime > now ? blockTime : now }
}

/** A signature without its wrapper (ERC-6492), and the deployment that the wrapper names. */
function unwrapped(signature: Hex): { signature: Hex; deployment: Deployment | null } {
  if (!isErc6492(signature)) return { signature, deployment: null }
  try {
    const { address, data, signature: inner } = parseErc6492Signature(signature)
    return { signature: inner, deployment: address && data ? { factory: lower(address), data } : null }
  } catch {
    // Only its end looks like a wrapper: the bytes stay as they are.
    return { signature, deployment: null }
  }
}

const lower = (hex: Hex): Hex => `0x${hex.slice(2).toLowerCase()}`

function judgeSignature(
  payment: EvmPayment,
  facts: Facts,
  { byKey, stateFault }: { byKey: boolean; stateFault: Failure | null },
): Failure | null {
  const method = methodOf(payment)
  if (facts.deployed === false) return failure('smart_wallet_deployment_failed')
  if (facts.hasCode || facts.deployed) {
    const { walletAgrees, simulation } = facts
    // The contract calls the wallet with this very digest, so a passed simulation proves the signature.
    if (walletAgrees || (simulation.ok && method.simulationProves(payment))) return null
    const explained = stateFault !== null && stateFault.reason !== method.stateRules.at(-1)?.reason
    const failsOtherwise = byKey && !simulation.ok && !method.blamesSignature(simulation.message, explained)
    return failsOtherwise ? null : failure(method.reasons.signature)
  }
  if (byKey) return null
  return failure(isErc6492(payment.transfer.signature) ? method.reasons.factory : method.reasons.signature)
}

function judgeState(payment: EvmPayment, facts: Facts): Failure | null {
  for (const rule of methodOf(payment).stateRules) {
    const how = rule.broken(payment, facts)
    if (how) return failure(rule.reason, how === true ? undefined : how)
  }
  return null
}
