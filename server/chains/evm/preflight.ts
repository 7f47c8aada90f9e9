import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { type EvmNetworkId, mainAsset, networkRow } from '../../x402/networks/networks'
import { erc20Abi } from '../../x402/schemes/evm-logs'
import type { CallResult, SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import type { Rpc } from '../rpc'
import { multicallAbi, readResults } from './calldata'
import { callAsSender } from './facts'
import { asHex, isExecutionFailure } from './rpc'
import { callsOf, trialCall } from './transactions'
import { readTrials, TRIALS_MAX, type Trial, trialOf } from './trials'

/** The preflight of a transfer on the newest block: whether it would be paid, and whether its payer has code. */
export type Preflight = { paid: boolean; hasCode: boolean }

const BURNT = '0x'

// Payer code that burns all gas fails the whole simulation: that is a result; a silent node is not.
function burnt(error: unknown): typeof BURNT {
  if (isExecutionFailure(error)) return BURNT
  throw error
}

/**
 * Checks transfers right before signing, in one round trip: the payers' code, and a simulation of all transfers behind those in flight.
 * When a payer has code, which may burn the gas of others, the rest is simulated again without it. Throws when the node does not
 * answer.
 */
export async function checkBatch(
  rpc: Rpc,
  network: EvmNetworkId,
  from: Hex,
  transfers: readonly SignedTransfer[],
  inFlight: readonly SignedTransfer[],
): Promise<Preflight[]> {
  const [first, ...others] = transfers
  if (first && others.length === 0 && methodFor(first).sender(first)) return [await checkOwn(rpc, network, first, inFlight)]
  const payers = [...new Set(transfers.map(({ authorization }) => authorization.from))]
  const { address: asset } = mainAsset(network)
  const trial = (ahead: readonly SignedTransfer[], some: readonly SignedTransfer[]) => simulate(rpc, network, from, ahead, some)
  const [tried, coded] = await Promise.all([trial(inFlight, transfers), findCoded(rpc, asset, payers)])
  const withCode = new Set(payers.filter((_, at) => coded[at]))
  // Without payer code, no single payment can be blamed.
  if (tried === BURNT && withCode.size === 0) throw new Error('the simulation of a batch failed as a whole')
  const paid = new Set(transfers.filter((_, at) => tried !== BURNT && tried[at]))
  const isPlain = ({ authorization }: SignedTransfer) => !withCode.has(authorization.from)
  const plain = transfers.filter(isPlain)
  if (withCode.size > 0 && plain.some((one) => !paid.has(one))) {
    const second = await trial(inFlight.filter(isPlain), plain)
    for (const [at, one] of plain.entries()) if (second !== BURNT && second[at]) paid.add(one)
  }
  const short = await shortBehindOwn(rpc, network, transfers, inFlight)
  return transfers.map((one) => ({ paid: paid.has(one) && !short.has(one), hasCode: !isPlain(one) }))
}

/** Those of these transfers that lack money behind what is in flight of their payers and cannot be simulated among them. */
async function shortBehindOwn(
  rpc: Rpc,
  network: EvmNetworkId,
  transfers: readonly SignedTransfer[],
  inFlight: readonly SignedTransfer[],
): Promise<ReadonlySet<SignedTransfer>> {
  const own = new Set(inFlight.filter((one) => methodFor(one).sender(one) !== null).map(accountOf))
  const asked = transfers.filter((one) => own.has(accountOf(one)))
  const states = await readAuthorizationStates(rpc, network, asked)
  const needed = new Map<string, bigint>()
  for (const one of [...inFlight, ...asked])
    needed.set(accountOf(one), (needed.get(accountOf(one)) ?? 0n) + one.authorization.value)
  return new Set(asked.filter((one, at) => (states[at]?.balance ?? 0n) < (needed.get(accountOf(one)) ?? 0n)))
}

const accountOf = ({ asset, authorization }: SignedTransfer) => `${asset} ${authorization.from}`

/**
 * Checks a transfer that one account alone may make. No call of many can make it behind those in flight, so what they move of its token must
 * leave enough.
 */
async function checkOwn(
  rpc: Rpc,
  network: EvmNetworkId,
  transfer: SignedTransfer,
  inFlight: readonly SignedTransfer[],
): Promise<Preflight> {
  const { from, value } = transfer.authorization
  const [made, [state], [hasCode = true]] = await Promise.all([
    callAsSender(rpc, network, transfer),
    readAuthorizationStates(rpc, network, [transfer]),
    findCoded(rpc, transfer.asset, [from]),
  ])
  const ahead = inFlight.filter((one) => accountOf(one) === accountOf(transfer))
  const needed = ahead.reduce((sum, one) => sum + one.authorization.value, value)
  return { paid: made.success && state !== undefined && !state.used && state.balance >= needed, hasCode }
}

/** Which of these would be paid behind others, in one call. */
async function simulate(
  rpc: Rpc,
  network: EvmNetworkId,
  from: Hex,
  ahead: readonly SignedTransfer[],
  transfers: readonly SignedTransfer[],
): Promise<boolean[] | typeof BURNT> {
  const { to, data, gas } = trialCall(network, [...ahead, ...transfers])
  const call = rpc('eth_call', [{ from, to, data, gas: `0x${gas.toString(16)}` }, 'latest'])
  const answer = await call.then((result) => asHex(result, 'eth_call')).catch(burnt)
  if (answer === BURNT) return BURNT
  const results = decodeFunctionResult({ abi: multicallAbi, functionName: 'aggregate3', data: answer })
  const lastOf = lastCalls(network, [...ahead, ...transfers])
  return transfers.map((_, at) => results[lastOf[ahead.length + at] ?? -1]?.success === true)
}

/** The places of the calls that make these transfers, among all calls of a trial. */
function lastCalls(network: EvmNetworkId, transfers: readonly SignedTransfer[]): number[] {
  let count = 0
  return transfers.map((one) => {
    count += callsOf(network, one).length
    return count - 1
  })
}

/** Whether each of these accounts has code: a trial without gas pays nothing. */
export async function findCoded(rpc: Rpc, asset: Hex, accounts: readonly Hex[]): Promise<boolean[]> {
  const parts: Promise<Trial[]>[] = []
  for (let at = 0; at < accounts.length; at += TRIALS_MAX) {
    const calls = accounts.slice(at, at + TRIALS_MAX).map((account) => ({ data: balanceData(account), gas: 0n }))
    parts.push(
      rpc('eth_call', [trialOf({ to: asset, payerWord: 0 }, calls), 'latest']).then((answer) => readTrials(answer, calls.length)),
    )
  }
  return (await Promise.all(parts)).flat().map(({ hasCode }) => hasCode)
}

/** The code of these accounts in a block; `0x` without code. */
export function readCodes(rpc: Rpc, accounts: readonly Hex[], at: { blockHash: Hex }): Promise<Hex[]> {
  return Promise.all(accounts.map(async (one) => asHex(await rpc('eth_getCode', [one, at]), 'eth_getCode')))
}

/** The call that reads the balance of an account in a token. */
export const balanceData = (account: Hex) => encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })

/** The state of an authorization in a block: whether it is used, and its payer's balance in atomic units. */
export type AuthorizationState = { used: boolean; balance: bigint }

/** The number of authorizations that fit in one call on every node. */
const AUTHORIZATIONS_MAX = 100

/** Reads the state of each authorization in a block, a hundred per call. Throws when the node or a token does not answer. */
export async function readAuthorizationStates(
  rpc: Rpc,
  network: EvmNetworkId,
  transfers: readonly SignedTransfer[],
  block?: { blockHash: Hex },
): Promise<AuthorizationState[]> {
  const states: AuthorizationState[] = []
  for (let at = 0; at < transfers.length; at += AUTHORIZATIONS_MAX) {
    const some = transfers.slice(at, at + AUTHORIZATIONS_MAX)
    const calls = some.flatMap((one) => [
      methodFor(one).usedCall(one),
      { to: one.asset, data: balanceData(one.authorization.from) },
    ])
    const results = await readResults(rpc, networkRow(network).multicall, calls, block)
    for (const [index, one] of some.entries()) {
      const [used, balance] = [results[2 * index], results[2 * index + 1]]
      states.push({ used: methodFor(one).isUsed(one, certain(used)), balance: BigInt(certain(balance)) })
    }
  }
  return states
}

function certain(result: CallResult | undefined): Hex {
  if (!result?.success || result.returnData.length < 66) throw new Error('the asset does not show authorizations and balances')
  return result.returnData
}
