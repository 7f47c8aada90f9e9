import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, zeroAddress, zeroHash } from 'viem'
import type { Log } from '../../base/log'
import { type EvmAsset, type EvmNetworkId, networkRow } from '../../x402/networks/networks'
import { domainSeparator } from '../../x402/schemes/evm-hashes'
import { EXACT_PROXY, PERMIT2 } from '../../x402/schemes/permit2/contracts'
import type { Rpc } from '../rpc'
import { type Contradiction, lacksOf } from './capabilities'
import { asHex, isExecutionFailure } from './rpc'

const abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function decimals() view returns (uint8)',
  'function name() view returns (string)',
  'function version() view returns (string)',
])
const SEPARATOR = encodeFunctionData({ abi, functionName: 'DOMAIN_SEPARATOR' })
const DECIMALS = encodeFunctionData({ abi, functionName: 'decimals' })
const STATE = encodeFunctionData({ abi, functionName: 'authorizationState', args: [zeroAddress, zeroHash] })

/**
 * What in a network's row contradicts its chain, or what the engine needs and its node lacks; none if it is right. The calls leave as two
 * HTTP requests. Throws when the node does not answer, which contradicts nothing.
 */
export async function contradictionsOf(rpc: Rpc, network: EvmNetworkId): Promise<Contradiction[]> {
  const { assets, multicall, l1FeeOracle } = networkRow(network)
  const found = await Promise.all([
    hasCode(rpc, multicall).then((has) =>
      has ? [] : [{ summary: `no contract at the Multicall3 address ${multicall}`, fix: 'set "multicall"' }],
    ),
    oracleFaults(rpc, l1FeeOracle),
    ...(assets.some(({ method }) => method === 'permit2') ? ([PERMIT2, EXACT_PROXY] as const) : []).map((at) =>
      permit2Faults(rpc, at),
    ),
    ...assets.map((asset) => assetFaults(rpc, network, asset)),
    // Its token is called, so there has to be one.
    hasCode(rpc, assets[0].address).then((has) => (has ? lacksOf(rpc, network) : [])),
  ])
  return found.flat()
}

async function oracleFaults(rpc: Rpc, oracle: Hex | null): Promise<Contradiction[]> {
  if (oracle === null || (await hasCode(rpc, oracle))) return []
  return [{ summary: `no contract at the L1 fee oracle ${oracle}`, fix: 'set "l1FeeOracle", or null without one,' }]
}

async function permit2Faults(rpc: Rpc, contract: Hex): Promise<Contradiction[]> {
  if (await hasCode(rpc, contract)) return []
  return [{ summary: `no contract at ${contract}, which payments by Permit2 need`, fix: 'use a token with EIP-3009' }]
}

async function assetFaults(rpc: Rpc, network: EvmNetworkId, asset: EvmAsset): Promise<Contradiction[]> {
  const { address, symbol, domain, decimals } = asset
  const signed = asset.method === 'eip3009' || asset.permits
  const [has, separator, state, ownDecimals] = await Promise.all([
    hasCode(rpc, address),
    signed ? call(rpc, address, SEPARATOR) : null,
    asset.method === 'eip3009' ? call(rpc, address, STATE) : undefined,
    call(rpc, address, DECIMALS),
  ])
  const what = `${symbol} ${address}`
  if (!has) return [{ summary: `no contract at ${what}`, fix: 'set the address of the token on this chain' }]
  const { chainId } = networkRow(network)
  const expected = domainSeparator(chainId, address, domain)
  return [
    ...(separator !== null && separator !== expected
      ? [
          {
            summary: `the DOMAIN_SEPARATOR of ${what} is not that of name "${domain.name}", version "${domain.version}"${await ownWords(rpc, address)}`,
            fix: 'set its "domain"',
          },
        ]
      : []),
    ...(state === null
      ? [{ summary: `${what} has no authorizationState, so no EIP-3009`, fix: 'set its "method" to "permit2"' }]
      : []),
    ...(ownDecimals !== null && BigInt(ownDecimals) !== BigInt(decimals)
      ? [{ summary: `${what} has ${BigInt(ownDecimals)} decimals, not ${decimals}`, fix: 'set its "decimals"' }]
      : []),
  ]
}

/** What a token calls itself, which usually is its domain; empty without an answer. */
async function ownWords(rpc: Rpc, token: Hex): Promise<string> {
  const [name, version] = await Promise.all((['name', 'version'] as const).map((one) => textOf(rpc, token, one)))
  if (name === null) return ''
  return `; the token calls itself name ${name}, ${version === null ? 'and has no version()' : `version ${version}`}`
}

/** A text of a token in quotes, at most 64 characters; null when it has no such function. */
async function textOf(rpc: Rpc, to: Hex, functionName: 'name' | 'version'): Promise<string | null> {
  try {
    const data = asHex(await rpc('eth_call', [{ to, data: encodeFunctionData({ abi, functionName }) }, 'latest']), 'eth_call')
    return JSON.stringify(decodeFunctionResult({ abi, functionName, data }).slice(0, 64))
  } catch {
    // It only helps to write the row: what is wrong is known without it.
    return null
  }
}

/** Whether there is a contract at an address. Throws when the node does not answer. */
export async function hasCode(rpc: Rpc, address: Hex): Promise<boolean> {
  return asHex(await rpc('eth_getCode', [address, 'latest']), 'eth_getCode') !== '0x'
}

/** The word that a call of a contract returns; null when the contract has no such function. */
async function call(rpc: Rpc, to: Hex, data: Hex): Promise<Hex | null> {
  try {
    const answer = asHex(await rpc('eth_call', [{ to, data }, 'latest']), 'eth_call')
    return answer.length === 66 ? answer : null
  } catch (error) {
    if (isExecutionFailure(error)) return null
    throw error
  }
}

/** What a process knows of a row: whether it fits its chain, and why not. */
export type RowCheck = {
  /** Whether the row fits its chain. Throws while no node answers and nothing is known. */
  fits(): Promise<boolean>
  /** Why the network is refused; null while nothing contradicts its row. */
  contradiction(): string | null
  /** Whether no node has answered yet. */
  isUnchecked(): boolean
}

/** How long a contradiction is believed before the chain is asked again. */
const REMEMBERED_MS = 30_000

/** The check of a network's row, done once if it fits. */
export function createRowCheck(rpc: Rpc, network: EvmNetworkId, log: Log): RowCheck {
  let known: { faults: string[]; at: number } | null = null
  let checking: Promise<string[]> | null = null

  async function check(): Promise<string[]> {
    const faults = (await contradictionsOf(rpc, network)).map(({ summary, fix }) => `${summary}: ${fix}`)
    const before = known?.faults.join() ?? ''
    known = { faults, at: performance.now() }
    if (faults.length > 0 && faults.join() !== before)
      log.error({ network, why: faults }, 'network refused: its row contradicts its chain')
    else if (faults.length === 0 && before !== '') log.info({ network }, 'the row of a network fits its chain now')
    return faults
  }

  return {
    async fits() {
      if (known && (known.faults.length === 0 || performance.now() - known.at < REMEMBERED_MS)) return known.faults.length === 0
      checking ??= check().finally(() => {
        checking = null
      })
      return (await checking).length === 0
    },
    contradiction: () => (known && known.faults.length > 0 ? known.faults.join('; ') : null),
    isUnchecked: () => known === null,
  }
}
