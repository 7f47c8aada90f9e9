import type { Tier } from '../accounts/plans'
import type { ConfiguredNetwork } from '../app'
import type { Log } from '../base/log'
import { startLoop } from '../base/loop'
import { inTime, type Timing, untimed } from '../base/timing'
import { createEvmChain, type EvmChain } from '../chains/evm/chain'
import { createFactoryCheck, type FactoryStatus } from '../chains/evm/factories'
import { codeApproves } from '../chains/evm/facts'
import { createRowCheck, type RowCheck } from '../chains/evm/row-check'
import { createNodes, createRpc } from '../chains/evm/rpc'
import { createSchemeCheck, type SchemeCheck } from '../chains/evm/scheme-contracts'
import { createSigner, type Signer } from '../chains/evm/signer'
import type { AroundCall, Nodes } from '../chains/rpc'
import { createSvmChain, type SvmChain } from '../chains/svm/chain'
import { createSvmRpc } from '../chains/svm/rpc'
import { createSvmSigner, type SvmSigner } from '../chains/svm/signer'
import type { Env } from '../env/env'
import { type EvmNetwork, evmNetworks, isAsBuilt } from '../env/networks'
import { type RemoteFacilitator, remoteFacilitator } from '../ledger/remote/client'
import { startListing } from '../ledger/remote/listing'
import type { Remote } from '../ledger/remote/remotes'
import type { LaneClass } from '../ledger/statements/lanes'
import { approvalMaxOf } from '../payments/gas-budgets'
import type { WalletChain } from '../sign-in/evm-signature'
import { type EvmNetworkId, type NetworkId, type NetworkRow, networkRow, type SvmNetworkId } from '../x402/networks/networks'

/**
 * A chain that we can send on, with the signers of each class. `flash` is the same chain through a preconfirming endpoint; `row`: whether
 * its row fits it, without one for a row that every process knows; `schemes`: whether it has their contracts; `sends`: the endpoints that alone
 * get its transactions.
 */
export type SendingChain = {
  chain: EvmChain
  flash: EvmChain | null
  signers: Record<LaneClass, Signer[]>
  row?: RowCheck
  schemes?: SchemeCheck
  sends?: Nodes
  factories?: () => readonly FactoryStatus[]
} & Observed

/** A Solana cluster that we can send on, with the fee payers of each class. */
export type SendingCluster = { chain: SvmChain; signers: Record<LaneClass, SvmSigner[]> } & Observed

type Observed = Required<Pick<ConfiguredNetwork, 'endpoints' | 'contradiction'>>

/** The networks with a node, and with a signer key or another facilitator. Throws when a key is used twice, or a retiring signer has none. */
export function configuredChains(env: Env, log: Log, timing: Timing = untimed): SendingChain[] {
  const shared = env.EVM_SIGNER_KEYS.map(createSigner)
  const sandbox = env.EVM_SANDBOX_SIGNER_KEYS.map(createSigner)
  // Two lanes over one key would allocate the same nonces.
  requireDistinct([...shared, ...sandbox], 'EVM_SIGNER_KEYS and EVM_SANDBOX_SIGNER_KEYS')
  requireKnown(env, [...shared, ...sandbox, ...evmNetworks(env).flatMap(({ signerKeys }) => signerKeys.map(createSigner))])
  const factories = new Set(env.EVM_WALLET_FACTORIES)
  const keyed = [env.REMOTE_STANDARD_URL, env.REMOTE_FLASH_URL]
  return evmNetworks(env).flatMap(({ row, urls, flashUrls, sendUrls, signerKeys, names }) => {
    const network: EvmNetworkId = `eip155:${row.chainId}`
    const own = signerKeys.map(createSigner)
    const signers = { production: own.length > 0 ? own : shared, sandbox: row.testnet ? sandbox : [] }
    requireDistinct([...signers.production, ...signers.sandbox], `${names.signerKeys} and EVM_SANDBOX_SIGNER_KEYS`)
    const remotes = row.testnet ? [...keyed, env.REMOTE_SANDBOX_URL] : keyed
    const isServed = Object.values(signers).flat().length > 0 || remotes.some(Boolean)
    if (urls.length === 0 || !isServed) return []
    const payments = createNodes(urls, network, log, calls(timing, network, 'payments'))
    const rowCheck = isAsBuilt(row) ? null : createRowCheck(payments.rpc, network, log)
    const others = (some: string[], use: 'flash' | 'send') =>
      some.length > 0 ? createNodes(some, network, log, calls(timing, network, use)) : null
    const [flash, sends] = [others(flashUrls, 'flash'), others(sendUrls, 'send')]
    const approvalMax = approvalMaxOf({ sponsoredApprovalMax: env.SPONSORED_APPROVAL_MAX }, network)
    // No chain of this network has another way to send, so nothing leaks to the endpoints that are read.
    const beside = { factories, approvalMax, sends: sends?.rpc ?? payments.rpc }
    return {
      chain: createEvmChain(network, payments.rpc, payments.nodes, beside),
      flash: flash && createEvmChain(network, flash.rpc, [flash.rpc], beside),
      endpoints: () => [
        ...payments.endpoints().map((one) => ({ ...one, variable: names.urls })),
        ...(flash?.endpoints() ?? []).map((one) => ({ ...one, variable: names.flashUrls, use: 'flash' as const })),
        ...(sends?.endpoints() ?? []).map((one) => ({ ...one, variable: names.sendUrls, use: 'send' as const })),
      ],
      signers,
      contradiction() {
        if (payments.isForeign()) return foreignTo(row, names.urls)
        if (sends?.isForeign()) return foreignTo(row, names.sendUrls)
        return rowCheck?.contradiction() ?? null
      },
      factories: createFactoryCheck(payments.rpc, env.EVM_WALLET_FACTORIES),
      schemes: createSchemeCheck(payments.rpc, network, log),
      ...(rowCheck ? { row: rowCheck } : {}),
      ...(sends ? { sends } : {}),
    }
  })
}

const NETWORK_CHECK_MS = 4_000

const foreignTo = ({ title }: Pick<NetworkRow, 'title'>, variable: string) =>
  `every endpoint is on another chain: set ${variable} to an endpoint of ${title}`

/** Compares networks with their chains before anything is served. `watchRows` asks a node again that is silent for long. */
export async function checkNetworks(
  chains: readonly SendingChain[],
  clusters: readonly SendingCluster[],
  log: Log,
): Promise<void> {
  const checks = [
    ...chains.map(({ chain, row }) => [chain, () => row?.fits() ?? chain.isExpected()] as const),
    ...chains.flatMap(({ chain, schemes }) => (schemes ? [[chain, schemes.isComplete] as const] : [])),
    ...chains.flatMap(({ chain, sends }) => (sends ? [[chain, () => isOnItsChain(sends)] as const] : [])),
    ...clusters.map(({ chain }) => [chain, () => chain.isExpected()] as const),
  ]
  await Promise.all(
    checks.map(([{ network }, check]) =>
      inTime(check(), NETWORK_CHECK_MS).catch((err: unknown) => log.warn({ err, network }, 'a network is not checked yet')),
    ),
  )
}

// The call's own proof says so; an endpoint of another chain then asks again by itself.
const isOnItsChain = ({ rpc, isForeign }: Nodes) => rpc('eth_chainId', []).then(() => !isForeign())

const ROW_AGAIN_MS = { refused: 30_000, silent: 1_000 }

/**
 * A contract may be deployed later, and a node that has not caught up says at first that there is none: so the pauses grow. A silent node is
 * asked rarely, because payments find out by themselves.
 */
const SCHEMES_AGAIN_MS = { missing: 45_000, missingMost: 600_000, silent: 30_000 }

/** Compares each row with its chain until it fits, with or without lanes of its own, and looks for the contracts of schemes until all are there. */
export function watchRows(chains: readonly SendingChain[], log: Log): { stop(): Promise<void> } {
  const loops = chains.flatMap(({ chain: { network }, row, schemes }) => {
    let misses = 0
    const afterMiss = () => Math.min(SCHEMES_AGAIN_MS.missing * 2 ** misses++, SCHEMES_AGAIN_MS.missingMost)
    const onSilence = (err: unknown) => log.debug({ err, network }, 'a network is not checked yet: no node answers')
    return [
      ...(row ? [startLoop(async () => ((await row.fits()) ? null : ROW_AGAIN_MS.refused), onSilence, ROW_AGAIN_MS.silent)] : []),
      ...(schemes
        ? [startLoop(async () => ((await schemes.isComplete()) ? null : afterMiss()), onSilence, SCHEMES_AGAIN_MS.silent)]
        : []),
    ]
  })
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** The networks without which the process is not ready. */
export function requiredNetworks(env: Env): ReadonlySet<NetworkId> {
  const listed = evmNetworks(env).flatMap(({ row, required }): NetworkId[] => (required ? [`eip155:${row.chainId}`] : []))
  return new Set([...env.REQUIRED_NETWORKS, ...listed])
}

/** The Solana clusters with a node and a fee payer. Throws when a key is used twice, or is invalid. */
export function configuredClusters(env: Env, log: Log, timing: Timing = untimed, listTimeoutMs?: number): SendingCluster[] {
  const production = feePayersOf(env, 'SOLANA_SIGNER_KEYS')
  const sandbox = feePayersOf(env, 'SOLANA_SANDBOX_SIGNER_KEYS')
  requireDistinct([...production, ...sandbox], 'SOLANA_SIGNER_KEYS and SOLANA_SANDBOX_SIGNER_KEYS')
  const rows: { network: SvmNetworkId; name: 'SOLANA_RPC_URL' | 'SOLANA_DEVNET_RPC_URL'; signers: SendingCluster['signers'] }[] =
    [
      {
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        name: 'SOLANA_RPC_URL',
        signers: { production, sandbox: [] },
      },
      {
        network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
        name: 'SOLANA_DEVNET_RPC_URL',
        signers: { production: [], sandbox },
      },
    ]
  for (const { network, name, signers } of rows) {
    const isIdle = env[name].length === 0 && Object.values(signers).flat().length > 0
    if (isIdle) log.warn({ network }, 'signer keys are set and no RPC URL: the network is not served')
  }
  return rows
    .filter(({ name, signers }) => env[name].length > 0 && Object.values(signers).flat().length > 0)
    .map(({ network, name, signers }) => {
      const nodes = createSvmRpc(env[name], network, log, calls(timing, network, 'payments'))
      const contradiction = () => (nodes.isForeign() ? foreignTo(networkRow(network), name) : null)
      return {
        chain: createSvmChain(network, nodes, undefined, listTimeoutMs),
        endpoints: nodes.endpoints,
        contradiction,
        signers,
      }
    })
}

/**
 * The one chain whose contracts sign in for their addresses: the one that `SMART_WALLET_CHAIN` names. If unset: Base, or the only mainnet
 * with a node; without a mainnet, Base Sepolia or the only testnet. Null without any. It has its own clients, so that hostile wallets slow
 * no payment. Throws if the named chain has no node.
 */
export function configuredWalletChain(env: Env, log: Log, timing: Timing = untimed): WalletChain | null {
  const chosen = walletNetwork(env)
  if (!chosen) return null
  const network: EvmNetworkId = `eip155:${chosen.row.chainId}`
  const rpc = createRpc(chosen.urls, network, log, calls(timing, network, 'wallets'))
  return { chainId: chosen.row.chainId, checkCode: (question) => codeApproves(rpc, question) }
}

function walletNetwork(env: Env): EvmNetwork | undefined {
  const reached = evmNetworks(env).filter(({ urls }) => urls.length > 0)
  const on = (chainId: number) => reached.find(({ row }) => row.chainId === chainId)
  const { SMART_WALLET_CHAIN: named } = env
  if (named !== undefined) {
    const network = on(Number(named.slice('eip155:'.length)))
    if (!network) throw new Error(`SMART_WALLET_CHAIN is ${named}, which has no RPC endpoint here; set its RPC URL`)
    return network
  }
  const mainnets = reached.filter(({ row }) => !row.testnet)
  // A testnet proves nothing on a mainnet: its owners are others.
  const [candidates, usual] = mainnets.length > 0 ? [mainnets, on(BASE)] : [reached, on(BASE_SEPOLIA)]
  return usual ?? (candidates.length === 1 ? candidates[0] : undefined)
}

const BASE = 8453
const BASE_SEPOLIA = 84532

// Endpoints are logged by position only, because their URLs hold keys.
const calls =
  (timing: Timing, network: string, use: 'payments' | 'flash' | 'send' | 'wallets'): AroundCall =>
  ({ endpoint, method }, call) =>
    timing.time({ name: 'rpc', facts: { network, use, endpoint, method } }, call)

// By position: a message must not hold the key.
function feePayersOf(env: Env, variable: 'SOLANA_SIGNER_KEYS' | 'SOLANA_SANDBOX_SIGNER_KEYS'): SvmSigner[] {
  return env[variable].map((key, at) => {
    try {
      return createSvmSigner(key)
    } catch (cause) {
      throw new Error(`${variable}: key ${at + 1} ${cause instanceof Error ? cause.message : 'cannot be used'}`)
    }
  })
}

function requireDistinct(signers: readonly { address: string }[], variables: string): void {
  const twice = signers.find(({ address }, at) => signers.findIndex((other) => other.address === address) !== at)
  if (twice) throw new Error(`the key of ${twice.address} appears twice in ${variables}`)
}

// A misspelled address would be offered to payers until its key is removed.
function requireKnown({ EVM_RETIRING_SIGNERS: retiring }: Env, signers: readonly Signer[]): void {
  const known = new Set(signers.map(({ address }) => address.toLowerCase()))
  const stranger = retiring.find((address) => !known.has(address))
  if (stranger) throw new Error(`EVM_RETIRING_SIGNERS names ${stranger}, whose key is in no list of signer keys`)
}

/** The other facilitators that serve tiers for us. Throws if a URL or token is unusable. */
export function configuredRemotes(env: Env): Map<Tier, RemoteFacilitator> {
  const rows: [Tier, string | undefined, string | undefined][] = [
    ['sandbox', env.REMOTE_SANDBOX_URL, env.REMOTE_SANDBOX_TOKEN],
    ['standard', env.REMOTE_STANDARD_URL, env.REMOTE_STANDARD_TOKEN],
    ['flash', env.REMOTE_FLASH_URL, env.REMOTE_FLASH_TOKEN],
  ]
  return new Map(rows.flatMap(([tier, url, token]) => (url === undefined ? [] : [[tier, remoteFacilitator(url, token)]])))
}

/** Starts polling `GET /supported` of each. */
export function listed(facilitators: ReadonlyMap<Tier, RemoteFacilitator>, log: Log): Map<Tier, Remote> {
  return new Map(
    [...facilitators].map(([tier, facilitator]) => [tier, { facilitator, listing: startListing(facilitator, tier, log) }]),
  )
}
