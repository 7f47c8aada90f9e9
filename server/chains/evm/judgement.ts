import { decodeAbiParameters, decodeFunctionResult, type Hex, parseErc6492Signature } from 'viem'
import { authorizationHash, brokenForm, brokenTerms, type Clock, namesOwnDomain } from '../../x402/exact-evm'
import { networks } from '../../x402/networks'
import type { Eip3009Payment } from '../../x402/payment'
import { type Failure, failure } from '../../x402/reasons'
import { isErc6492, normalSignature, readEcdsa } from '../../x402/signature'
import { type Rpc, unreachable } from '../rpc'
import { MULTICALL, multicallAbi } from './abi'
import { asHex } from './answers'
import { aggregateCall, authorizationStateCall, balanceCall, type Proof, transferCall } from './calldata'
import { readHead } from './head'
import { recoverAddress } from './recover'
import { codeApproves } from './wallet-code'

/**
 * A judged payment. `proof` says how its signature holds, `signature` is the one to send (unwrapped), `block` is the newest one
 * then. A failed one names the payer only when the signature was proven first.
 */
export type Judgement =
  | { valid: true; proof: Proof; signature: Hex; baseFee: bigint; block: bigint }
  | ({ valid: false; proven: boolean } & Failure)

/** Wallet code and token together may burn this much in a simulation; a payer's code decides no more than that. */
const SIMULATION_GAS = 265_000n
/** What a wallet's signature may weigh: more would not fit in the gas of its transfer, however little its code does. */
const SIGNATURE_BYTES_MAX = 2_048

/**
 * Everything that can be said without a node: form, local signature recovery, terms.
 * `open` means that the key did not sign, so only code at the payer's address still could have.
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

// Asked before the chain is and again with its answer: the curve is the dearest part of a judgement.
const proven = new WeakMap<Eip3009Payment, boolean>()

/** Whether the payer's own key made the signature. */
function signedByKey(payment: Eip3009Payment): boolean {
  const known = proven.get(payment)
  if (known !== undefined) return known
  const byKey = recoversPayer(payment)
  proven.set(payment, byKey)
  return byKey
}

function recoversPayer(payment: Eip3009Payment): boolean {
  const hash = authorizationHash(payment)
  const ecdsa = readEcdsa(payment.transfer.signature)
  return hash !== null && ecdsa !== null && recoverAddress(hash, ecdsa) === payment.transfer.authorization.from
}

/**
 * The full judgement against the newest block, in the official order of checks, in one round trip: the payer's code, the
 * token's state and a simulation of the transfer. Throws `upstream` when the node does not answer.
 */
export async function judgeOnChain(rpc: Rpc, payment: Eip3009Payment, now: bigint): Promise<Judgement> {
  const byKey = signedByKey(payment)
  // One spelling for simulation and transaction: a wallet with code may refuse the other v.
  const signature = byKey ? normalSignature(payment.transfer.signature) : innerSignature(payment.transfer.signature)
  const facts = await readFacts(rpc, payment, signature, byKey)
  const clock: Clock = { earliest: now, latest: facts.blockTime > now ? facts.blockTime : now }

  const signatureFlaw = judgeSignature(payment, facts, byKey)
  if (signatureFlaw) return { valid: false, proven: false, ...signatureFlaw }
  const flaw = brokenTerms(payment, clock) ?? judgeState(payment, facts)
  if (flaw) return { valid: false, proven: true, ...flaw }
  return { valid: true, proof: facts.hasCode ? 'code' : 'key', signature, baseFee: facts.baseFee, block: facts.block }
}

type Facts = {
  hasCode: boolean
  walletAgrees: boolean
  block: bigint
  blockTime: bigint
  baseFee: bigint
  /** Null where the asset has no such function. */
  used: boolean | null
  balance: bigint | null
  assetHasCode: boolean
  simulation: { ok: true } | { ok: false; message: string }
}

function innerSignature(signature: Hex): Hex {
  if (!isErc6492(signature)) return signature
  try {
    return parseErc6492Signature(signature).signature
  } catch {
    // Only its end looks like a wrapper: the bytes stay what they are.
    return signature
  }
}

function judgeSignature(payment: Eip3009Payment, facts: Facts, byKey: boolean): Failure | null {
  if (facts.hasCode) {
    const { walletAgrees, simulation } = facts
    // The token asks the wallet itself, under its own domain; a simulation that passed is that answer.
    if (walletAgrees || (simulation.ok && namesOwnDomain(payment))) return null
    const failsOtherwise = byKey && !simulation.ok && !/invalid signature/i.test(simulation.message)
    return failsOtherwise ? null : failure('invalid_exact_evm_signature')
  }
  if (byKey) return null
  return failure(isErc6492(payment.transfer.signature) ? 'eip6492_factory_not_allowed' : 'invalid_exact_evm_signature')
}

function judgeState(payment: Eip3009Payment, facts: Facts): Failure | null {
  if (!facts.assetHasCode) return failure('asset_not_deployed_contract')
  if (facts.simulation.ok) return null
  const { authorization } = payment.transfer
  if (facts.used === null) return failure('invalid_exact_evm_eip3009_not_supported')
  if (facts.used) return failure('invalid_exact_evm_nonce_already_used')
  if (facts.balance !== null && facts.balance < authorization.value) return failure('invalid_exact_evm_insufficient_balance')
  if (authorization.validAfter >= facts.blockTime) return failure('invalid_exact_evm_payload_authorization_valid_after')
  const { message } = facts.simulation
  return failure(
    'invalid_exact_evm_transaction_simulation_failed',
    message ? `The transfer would fail on chain: ${message}` : undefined,
  )
}

async function readFacts(rpc: Rpc, payment: Eip3009Payment, signature: Hex, byKey: boolean): Promise<Facts> {
  const { authorization } = payment.transfer
  const title = networks[payment.network].title
  try {
    const [head, code, results, walletAgrees] = await Promise.all([
      readHead(rpc),
      rpc('eth_getCode', [authorization.from, 'latest']).then((code) => asHex(code, 'eth_getCode')),
      simulate(rpc, payment, signature, byKey ? 'key' : 'code'),
      byKey ? false : askWallet(rpc, payment, signature),
    ])
    const [used, balance, simulation] = results
    return {
      hasCode: code !== '0x',
      walletAgrees,
      block: head.number,
      blockTime: head.timestamp,
      // From the header: inside a call that offers no gas price, nodes say that the base fee is 0.
      baseFee: head.baseFee,
      used: word(used) === null ? null : word(used) === 1n,
      balance: word(balance),
      assetHasCode: !(balance?.success && balance.returnData === '0x'),
      simulation: simulation?.success ? { ok: true } : { ok: false, message: revertMessage(simulation?.returnData ?? '0x') },
    }
  } catch (cause) {
    throw unreachable(title, cause)
  }
}

type CallResult = { success: boolean; returnData: Hex }

// State first and the transfer last: a wallet that burns all its gas cannot blind the reads before it.
async function simulate(rpc: Rpc, payment: Eip3009Payment, signature: Hex, proof: Proof): Promise<readonly CallResult[]> {
  const { asset, transfer } = payment
  const { authorization } = transfer
  const calls = [
    authorizationStateCall(authorization),
    balanceCall(authorization.from),
    transferCall(authorization, signature, proof),
  ]
  const data = aggregateCall(calls.map((callData) => ({ target: asset, callData })))
  const answer = asHex(await rpc('eth_call', [{ to: MULTICALL, data, gas: hexOf(SIMULATION_GAS) }, 'latest']), 'eth_call')
  return decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: answer })
}

async function askWallet(rpc: Rpc, payment: Eip3009Payment, signature: Hex): Promise<boolean> {
  const hash = authorizationHash(payment)
  return hash !== null && codeApproves(rpc, { wallet: payment.transfer.authorization.from, hash, signature })
}

function hexOf(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

function word(result: CallResult | undefined): bigint | null {
  return result?.success && result.returnData.length === 66 ? BigInt(result.returnData) : null
}

const ERROR_STRING = '0x08c379a0'

// The token's own words, printable and bounded: they end up in an answer.
function revertMessage(data: Hex): string {
  if (!data.startsWith(ERROR_STRING)) return ''
  try {
    const [message] = decodeAbiParameters([{ type: 'string' }], `0x${data.slice(10)}`)
    return message.replace(/[^\x20-\x7e]/g, '').slice(0, 120)
  } catch {
    // Not the ABI of Error(string) after all: there is nothing readable to pass on.
    return ''
  }
}
