import { base58 } from '@scure/base'
import type { Tier } from '../../server/accounts/plans'
import { DAY_MS, MINUTE_MS } from '../../server/base/durations'
import type { NetworkId } from '../../server/x402/networks/networks'
import { createRandom, hex, timeOfDay, transaction, weekday } from './random'

/** The owner of the seeded history. */
export const DEMO_OWNER = { kind: 'oidc', id: 'demo-seed' } as const

type SeededTenant = { id: string; name: string; plan: string }

/** One row of history, as in the database. */
export type SeededRow = {
  tenantId: string
  createdAt: Date
  payer: string
  payTo: string
  network: NetworkId
  resource: string
  plan: string
  tier: Tier
  /** Atomic units, in digits. */
  amount: string
  success: boolean
  txHash: string
  errorReason: string | null
  /** Milliseconds from the claim to the outcome; null in a failed judgement, which has no claim. */
  settleMs: number | null
}

type Merchant = SeededTenant & {
  share: number
  since: number
  products: readonly (readonly [weight: number, product: Product])[]
}
type Product = { resource: string; network: NetworkId; amount: string }

/** The network of most payments. */
export const BASE = 'eip155:8453' satisfies NetworkId
const SEPOLIA = 'eip155:84532' satisfies NetworkId
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' satisfies NetworkId

// The ids are fixed, so that --unseed removes exactly these tenants. Later ones are newer: lists go by id, as UUIDv7 does by time.
const merchants: readonly Merchant[] = [
  {
    id: '00000000-0000-4000-8000-00000000d001',
    name: 'Demo: Weather API',
    plan: 'growth',
    share: 6,
    since: 0,
    products: [
      [6, { resource: 'https://weather.demo.example/forecast', network: BASE, amount: '1000' }],
      [2, { resource: 'https://weather.demo.example/forecast', network: SOLANA, amount: '1000' }],
      [2, { resource: 'https://weather.demo.example/radar', network: BASE, amount: '5000' }],
      [1, { resource: 'https://weather.demo.example/history', network: SOLANA, amount: '20000' }],
    ],
  },
  {
    id: '00000000-0000-4000-8000-00000000d003',
    name: 'Demo: Research tools',
    plan: 'starter',
    share: 3,
    since: 12,
    products: [
      [4, { resource: 'https://research.demo.example/search', network: BASE, amount: '10000' }],
      [1, { resource: 'https://research.demo.example/report', network: BASE, amount: '250000' }],
      [1, { resource: 'https://research.demo.example/summary', network: SOLANA, amount: '50000' }],
    ],
  },
  {
    id: '00000000-0000-4000-8000-00000000d002',
    name: 'Demo: Staging',
    plan: 'free',
    share: 1,
    since: 0,
    products: [[1, { resource: 'https://staging.demo.example/ping', network: SEPOLIA, amount: '100' }]],
  },
]

/** The tenants of the demo owner. */
export const seededTenants: readonly SeededTenant[] = merchants.map(({ id, name, plan }) => ({ id, name, plan }))

const PER_DAY = 120
const PAYERS = 60
const FAILURES = 0.06
/** How many payments of a key with flash there are for each that uses it. */
const FLASH_EVERY = 3

const reasons = {
  evm: [
    [6, 'insufficient_funds'],
    [2, 'invalid_exact_evm_payload_authorization_valid_before'],
    [1, 'invalid_exact_evm_signature'],
    [1, 'authorization_used_elsewhere'],
  ],
  svm: [
    [6, 'insufficient_funds'],
    [2, 'settle_exact_svm_block_height_exceeded'],
    [1, 'invalid_exact_svm_payload_amount_mismatch'],
    [1, 'invalid_exact_svm_transaction_simulation_failed'],
  ],
} as const

// These appear after a payment passed verification; the others refuse it.
const LATER: ReadonlySet<string> = new Set(['authorization_used_elsewhere', 'settle_exact_svm_block_height_exceeded'])

/** Plausible settlements of the last `days` days, oldest first: more by day, on weekdays and lately, and some failed. */
export function seededHistory(now: Date, days = 60): SeededRow[] {
  const random = createRandom(402)
  const wallets = Array.from({ length: PAYERS }, () => ({ evm: hex(random, 20), svm: base58.encode(random.bytes(32)) }))
  // A few payers make most of the payments.
  const payers = wallets.map((wallet, at) => [1 / (at + 1), wallet] as const)
  const payTo = { evm: hex(random, 20), svm: base58.encode(random.bytes(32)) }
  const rows: SeededRow[] = []
  for (let day = 0; day < days; day++) {
    const start = now.getTime() - (days - day) * DAY_MS
    const open = merchants.filter(({ since }) => since <= day).map((merchant) => [merchant.share, merchant] as const)
    const count = Math.round(PER_DAY * (0.5 + day / days) * weekday(start) * (0.8 + random.next() * 0.4))
    for (let at = 0; at < count; at++) {
      const { id, plan, products } = random.pick(open)
      const { resource, network, amount } = random.pick(products)
      const family = network.startsWith('solana:') ? 'svm' : 'evm'
      const success = random.next() >= FAILURES
      const createdAt = new Date(start + timeOfDay(random, start))
      const payer = random.pick(payers)[family]
      const errorReason = success ? null : random.pick(reasons[family])
      const tier = plan === 'growth' && rows.length % FLASH_EVERY === 0 ? 'flash' : 'standard'
      rows.push({
        tenantId: id,
        plan,
        tier,
        resource,
        network,
        amount,
        success,
        createdAt,
        payer,
        errorReason,
        payTo: payTo[family],
        txHash: success ? transaction(random, family) : '',
        settleMs: errorReason === null || LATER.has(errorReason) ? settleMs(family, tier, rows.length) : null,
      })
    }
  }
  // What follows a payment, such as its webhook, lies in the past too.
  const past = rows.filter(({ createdAt }) => createdAt.getTime() < now.getTime() - MINUTE_MS)
  return past.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

/** Around the time of a block, or of a preconfirmation, and sometimes several. */
export function settleMs(family: 'evm' | 'svm', tier: Tier, at: number): number {
  const block = tier === 'flash' ? 200 : family === 'evm' ? 2_000 : 400
  return 250 + ((at * 7_919) % block) + (at % 23 === 0 ? 2 * block : 0)
}

/** The gas of a transfer at the usual prices, in the smallest unit of the network's coin: 0.0000006 ETH, or a fee of two signatures. */
export const gasOf = ({ network }: Pick<SeededRow, 'network'>): bigint => (network === SOLANA ? 10_000n : 600_000_000_000n)
