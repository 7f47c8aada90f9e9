import { concatHex, encodeFunctionData, type Hex } from 'viem'
import { type EvmNetworkId, mainAsset, networkRow } from '../../x402/networks/networks'
import { erc20Abi } from '../../x402/schemes/evm-logs'
import { rejectionOf } from '../json-rpc'
import type { Rpc } from '../rpc'
import { cappedBatch } from './capped-calls'
import { gasOfData, gasOn } from './gas'
import { asHex, isExecutionFailure, readBlock, readHead } from './rpc'
import { trialOf } from './trials'

/** What in a row contradicts its chain, and what to do about it. */
export type Contradiction = { summary: string; fix: string }

const USE_ANOTHER = 'use another node, or leave the network out'
/** An account without code. */
const NOBODY: Hex = `0x${'00'.repeat(18)}dead`
/** As long as a transfer; half of it zeros, as in one. */
const TRANSFER_BYTES = 1_000
const DATA = concatHex(Array.from({ length: TRANSFER_BYTES / 2 }, () => '0x5a00' as const))
/** What a transfer's gas limit leaves for the transaction around its work. */
const GAS_AROUND_TRANSFER = 80_000n
const GAS_OF_CALL = 100_000n

/**
 * What the engine needs and the nodes of a network lack; none if nothing. Throws when they do not answer, or cannot say it now. The token
 * must have code.
 */
export async function lacksOf(rpc: Rpc, network: EvmNetworkId): Promise<Contradiction[]> {
  const { address } = mainAsset(network)
  const found = await Promise.all([
    lacks(readsByHash(rpc, network), 'reads of a block by its hash (EIP-1898), with which failures are proven'),
    lacks(runsTrial(rpc, address), 'calls of creation code with PUSH0 (EIP-3855), with which payers are checked'),
    lacks(runsBatch(rpc, address), 'calls of creation code with PUSH0 (EIP-3855), with which batches are paid'),
    lacks(hasFinalized(rpc), 'the block tag "finalized"'),
    dataFaults(rpc, network),
  ])
  return found.flat()
}

async function lacks(works: Promise<boolean>, what: string): Promise<Contradiction[]> {
  const has = await works.catch((error: unknown) => {
    if (isTemporary(error)) throw error
    return false
  })
  return has ? [] : [{ summary: `the node does not support ${what}`, fix: USE_ANOTHER }]
}

// Silence, a limit of the provider or a block that this replica lacks says nothing about what the node can do.
function isTemporary(error: unknown): boolean {
  const rejection = rejectionOf(error)
  if (rejection === null) return true
  return rejection.code !== METHOD_NOT_FOUND && !/finalized/i.test(rejection.message) && TEMPORARY.test(rejection.message)
}

const METHOD_NOT_FOUND = -32_601
const TEMPORARY =
  /rate|limit exceeded|too many|capacity|credits|unauthori|forbidden|api key|time.?out|busy|overload|unavailable|internal|unknown block|not ?found|out ?of ?range/i

async function readsByHash(rpc: Rpc, network: EvmNetworkId): Promise<boolean> {
  const { hash: blockHash } = await readHead(rpc, network)
  const { address } = mainAsset(network)
  const [balance, code, count] = await Promise.all([
    rpc('eth_call', [{ to: address, data: balanceOf(NOBODY) }, { blockHash }]),
    rpc('eth_getCode', [address, { blockHash }]),
    rpc('eth_getTransactionCount', [NOBODY, { blockHash }]),
  ])
  return [balance, code, count].every((answer) => asHex(answer, 'a read by block hash') !== '0x')
}

/** Both calls succeed, and only the first account has code. */
const BOTH_PAID = '0x0301'

async function runsTrial(rpc: Rpc, token: Hex): Promise<boolean> {
  const calls = [token, NOBODY].map((account) => ({ data: balanceOf(account), gas: GAS_OF_CALL }))
  return (await rpc('eth_call', [trialOf({ to: token, payerWord: 0 }, calls), 'latest'])) === BOTH_PAID
}

async function runsBatch(rpc: Rpc, token: Hex): Promise<boolean> {
  const calls = [token, NOBODY].map((account) => ({ to: token, data: balanceOf(account), gas: GAS_OF_CALL }))
  const { data, gas } = cappedBatch(calls)
  asHex(await rpc('eth_call', [{ data, gas: `0x${gas.toString(16)}` }, 'latest']), 'eth_call')
  return true
}

const hasFinalized = async (rpc: Rpc) => (await readBlock(rpc, 'finalized')) !== null

/** Whether a transaction as long as a transfer takes more gas than our limits leave for that. */
async function dataFaults(rpc: Rpc, network: EvmNetworkId): Promise<Contradiction[]> {
  const most = gasOn(network, GAS_AROUND_TRANSFER) + gasOfData(network, TRANSFER_BYTES)
  const estimate = await rpc('eth_estimateGas', [{ from: NOBODY, to: NOBODY, data: DATA }]).catch((error: unknown) => {
    // The engine itself asks for no estimate.
    if (rejectionOf(error) !== null || isExecutionFailure(error)) return null
    throw error
  })
  if (estimate === null || BigInt(asHex(estimate, 'eth_estimateGas')) <= most) return []
  const { gasPercent, gasPerByte } = networkRow(network)
  const gas = BigInt(asHex(estimate, 'eth_estimateGas'))
  const summary = `a transaction of ${TRANSFER_BYTES} bytes takes ${gas} gas, and gasPercent ${gasPercent} with gasPerByte ${gasPerByte} leave ${most}`
  return [{ summary, fix: 'set "gasPerByte", or "gasPercent",' }]
}

const balanceOf = (account: Hex) => encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
