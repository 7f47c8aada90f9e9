import { SANDBOX_TENANT } from '../accounts/caller'
import type { Tier } from '../accounts/plans'
import { type App, type ConfiguredNetwork, contradictionIn } from '../app'
import type { FactoryStatus } from '../chains/evm/factories'
import type { SenderStatus } from '../ledger/engine'
import type { LaneClass } from '../ledger/statements/lanes'
import { signersOf } from '../payments/facilitators'
import { TIER_NETWORKS } from '../payments/supported'
import type { ScreeningHealth } from '../screening/screening'
import { isNetworkId, type NetworkId, networkIds } from '../x402/networks/networks'
import type { NewestBlock, NodeHealth } from './balances'
import type { MintStatus } from './mints'
import {
  type ChannelFigures,
  type FailingWebhook,
  type QueueRow,
  readChannelFigures,
  readFailingWebhooks,
  readQuarantined,
  readQueues,
  readSpend,
  readStuck,
  type SpendRow,
  type StuckRow,
} from './queries'

/** Longer than any deadline, so an operator should check. */
const STUCK_SECONDS = 60
const STUCK_MAX = 50
const WEBHOOKS_MAX = 20
const SPEND_DAYS = 7
/** The longest useful forecast. */
const RUNWAY_MAX_DAYS = 3_650n

/**
 * One of our signers with its balance (smallest unit; null: unknown), the days it lasts (null: unknown, or no cost so far), and what to
 * send so that it lasts 30 days (null: the same; 0: nothing).
 */
type Sender = Omit<SenderStatus, 'status'> & {
  /** A signer of a network that is refused sends nothing. */
  status: SenderStatus['status'] | 'refused'
  balance: bigint | null
  runwayDays: number | null
  topUp: bigint | null
}

/** A network for operators: the tiers we serve, the health of its nodes, its newest block, and its queue. */
type NetworkStatus = {
  network: NetworkId
  tiers: Tier[]
  nodes: NodeHealth
  block: NewestBlock | null
  endpoints: ReturnType<ConfiguredNetwork['endpoints']>
  /** Why the network is refused; null if it is not. */
  contradiction: string | null
  /** The configured mints of a Solana cluster. */
  mints: readonly MintStatus[]
  /** The allowed factories of smart wallets, and whether each has code there. */
  factories: readonly FactoryStatus[]
  /** How many signers this process has there. */
  signers: number
  queue: Omit<QueueRow, 'network'> | null
}

/** What the operators of the service look at first. */
type OperationsStatus = {
  networks: NetworkStatus[]
  stuck: StuckRow[]
  /** The quarantined lanes of all processes. */
  quarantined: number
  webhooks: FailingWebhook[]
  /** Networks where payers withdraw from channels with unclaimed vouchers, or something cannot be claimed. */
  channels: ChannelFigures[]
  screening: Record<LaneClass, ScreeningHealth>
}

type Parts = Pick<App, 'db' | 'engine' | 'networks' | 'signerBalances'>

/** Every signer of this process, with its balance and how long it lasts at the rate of the last seven days. */
export async function senders({ db, engine, networks, signerBalances }: Parts): Promise<Sender[]> {
  const lanes = engine.laneStatus()
  const [spend, balances] = await Promise.all([
    readSpend(db, SANDBOX_TENANT, SPEND_DAYS),
    Promise.all(lanes.map(({ network, address }) => signerBalances.balance(network, address))),
  ])
  return lanes.map((lane, at) => {
    const balance = balances[at] ?? null
    const alike = lanes.filter((other) => other.network === lane.network && other.class === lane.class).length
    const configured = isNetworkId(lane.network) ? networks.get(lane.network) : undefined
    const status = configured && contradictionIn(configured) !== null ? 'refused' : lane.status
    const spent = spendOf(spend, lane)
    return { ...lane, status, balance, runwayDays: runwayDays(balance, spent, alike), topUp: topUpOf(balance, spent, alike) }
  })
}

const LOW_DAYS = 3

/** The signers that cannot pay gas any more, or not for three days. */
export async function lowSigners(parts: Parts): Promise<Sender[]> {
  const all = await senders(parts)
  return all.filter(({ status, runwayDays }) => status === 'low balance' || (runwayDays !== null && runwayDays < LOW_DAYS))
}

const spendOf = (spend: readonly SpendRow[], { network, class: laneClass }: SenderStatus) =>
  spend.find((row) => row.network === network && row.sandbox === (laneClass === 'sandbox'))

/** How many whole days a balance lasts when this many signers share the cost evenly; null when unknown. */
export function runwayDays(
  balance: bigint | null,
  spend: Pick<SpendRow, 'spent' | 'days'> | undefined,
  sharers: number,
): number | null {
  const spent = BigInt(spend?.spent ?? 0)
  if (balance === null || !spend || spent === 0n) return null
  const days = (balance * BigInt(sharers) * BigInt(spend.days)) / spent
  return Number(days < RUNWAY_MAX_DAYS ? days : RUNWAY_MAX_DAYS)
}

const FUNDED_DAYS = 30n

/** What a signer lacks to last 30 days when this many share the cost evenly, rounded up; null when unknown. */
export function topUpOf(
  balance: bigint | null,
  spend: Pick<SpendRow, 'spent' | 'days'> | undefined,
  sharers: number,
): bigint | null {
  const spent = BigInt(spend?.spent ?? 0)
  if (balance === null || !spend || spent === 0n) return null
  const shared = BigInt(sharers) * BigInt(spend.days)
  const lacking = (FUNDED_DAYS * spent + shared - 1n) / shared - balance
  return lacking > 0n ? lacking : 0n
}

const tiers = ['sandbox', 'standard', 'flash'] as const satisfies Tier[]

/** The configured networks, the stuck settlements on them, failing webhooks, and the health of screening. */
export async function networkStatuses(app: App): Promise<OperationsStatus> {
  const [queues, stuck, quarantined, webhooks, channels, networks] = await Promise.all([
    readQueues(app.db),
    readStuck(app.db, { seconds: STUCK_SECONDS, limit: STUCK_MAX }),
    readQuarantined(app.db),
    readFailingWebhooks(app.db, WEBHOOKS_MAX),
    readChannelFigures(app.db),
    Promise.all(
      networkIds.flatMap((network) => {
        const configured = app.networks.get(network)
        return configured ? [statusOf(app, network, configured)] : []
      }),
    ),
  ])
  return {
    networks: networks.map((network) => ({ ...network, queue: queueOf(queues, network.network) })),
    stuck,
    quarantined,
    webhooks,
    channels: channels.filter(({ withdrawing, unclaimable }) => withdrawing + unclaimable > 0),
    screening: { sandbox: app.screening.sandbox.health(), production: app.screening.production.health() },
  }
}

async function statusOf(app: App, network: NetworkId, configured: ConfiguredNetwork) {
  const { signers, endpoints } = configured
  const { health, block } = await app.signerBalances.nodes(network)
  return {
    network,
    block,
    nodes: health,
    tiers: tiersOn(app, network),
    endpoints: endpoints(),
    contradiction: contradictionIn(configured),
    mints: configured.family === 'svm' ? configured.mints() : [],
    factories: (configured.family === 'evm' ? configured.factories?.() : undefined) ?? [],
    signers: Object.values(signers).flat().length,
  }
}

const tiersOn = (app: App, network: NetworkId) =>
  tiers.filter((tier) => TIER_NETWORKS[tier].includes(network) && signersOf(app, tier, network) !== null)

function queueOf(queues: readonly QueueRow[], network: NetworkId): Omit<QueueRow, 'network'> | null {
  const found = queues.find((queue) => queue.network === network)
  if (!found) return null
  const { network: _, ...queue } = found
  return queue
}
