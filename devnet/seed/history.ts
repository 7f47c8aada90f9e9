import { base58 } from '@scure/base'
import { bytesToHex } from 'viem'
import { createRandom, type Random } from './random'

/** Whose the seeded history is: an owner that says what it is. */
export const DEMO_OWNER = { kind: 'oidc', id: 'demo-seed' } as const

export type SeededTenant = { id: string; name: string; plan: string }

/** One row of history, as the database takes it. */
export type SeededRow = {
  tenantId: string
  createdAt: Date
  payer: string
  payTo: string
  network: string
  resource: string
  plan: string
  /** Atomic units, in digits. */
  amount: string
  success: boolean
  txHash: string
  errorReason: string | null
}

type Shop = SeededTenant & { share: number; since: number; menu: readonly (readonly [weight: number, dish: Dish])[] }
type Dish = { resource: string; network: string; amount: string }

const BASE = 'eip155:8453'
const SEPOLIA = 'eip155:84532'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

// Fixed ids: what is removed later is exactly this.
const shops: readonly Shop[] = [
  {
    ...{ id: '00000000-0000-4000-8000-00000000d001', name: 'Demo: Weather API', plan: 'growth', share: 6, since: 0 },
    menu: [
      [6, { resource: 'https://weather.demo.example/forecast', network: BASE, amount: '1000' }],
      [2, { resource: 'https://weather.demo.example/forecast', network: SOLANA, amount: '1000' }],
      [2, { resource: 'https://weather.demo.example/radar', network: BASE, amount: '5000' }],
      [1, { resource: 'https://weather.demo.example/history', network: SOLANA, amount: '20000' }],
    ],
  },
  {
    ...{ id: '00000000-0000-4000-8000-00000000d002', name: 'Demo: Research tools', plan: 'starter', share: 3, since: 12 },
    menu: [
      [4, { resource: 'https://research.demo.example/search', network: BASE, amount: '10000' }],
      [1, { resource: 'https://research.demo.example/report', network: BASE, amount: '250000' }],
      [1, { resource: 'https://research.demo.example/summary', network: SOLANA, amount: '50000' }],
    ],
  },
  {
    ...{ id: '00000000-0000-4000-8000-00000000d003', name: 'Demo: Staging', plan: 'free', share: 1, since: 0 },
    menu: [[1, { resource: 'https://staging.demo.example/ping', network: SEPOLIA, amount: '100' }]],
  },
]

/** The tenants of the demo owner. */
export const seededTenants: readonly SeededTenant[] = shops.map(({ id, name, plan }) => ({ id, name, plan }))

const DAY_MS = 86_400_000
const PER_DAY = 120
const PAYERS = 60
const FAILURES = 0.06

const reasons = [
  [6, 'insufficient_funds'],
  [2, 'unknown'],
  [1, 'invalid_exact_evm_signature'],
  [1, 'invalid_exact_evm_payload_authorization_valid_before'],
] as const

/** Plausible settlements of so many days up to now: more by day than by night, on weekdays and lately; a few of them failed. Oldest first. */
export function seededHistory(now: Date, days = 60): SeededRow[] {
  const random = createRandom(402)
  const wallets = Array.from({ length: PAYERS }, () => ({ evm: hex(random, 20), svm: base58.encode(random.bytes(32)) }))
  // The first ones pay most, as everywhere.
  const payers = wallets.map((wallet, at) => [1 / (at + 1), wallet] as const)
  const payTo = { evm: hex(random, 20), svm: base58.encode(random.bytes(32)) }
  const rows: SeededRow[] = []
  for (let day = 0; day < days; day++) {
    const start = now.getTime() - (days - day) * DAY_MS
    const open = shops.filter(({ since }) => since <= day).map((shop) => [shop.share, shop] as const)
    const count = Math.round(PER_DAY * (0.5 + day / days) * weekday(start) * (0.8 + random.next() * 0.4))
    for (let at = 0; at < count; at++) {
      const { id, plan, menu } = random.pick(open)
      const { resource, network, amount } = random.pick(menu)
      const family = network.startsWith('solana:') ? 'svm' : 'evm'
      const success = random.next() >= FAILURES
      rows.push({
        ...{ tenantId: id, plan, resource, network, amount, success },
        createdAt: new Date(start + timeOfDay(random, start)),
        payer: random.pick(payers)[family],
        payTo: payTo[family],
        txHash: success ? transaction(random, family) : '',
        errorReason: success ? null : random.pick(reasons),
      })
    }
  }
  return rows.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

const weekday = (start: number): number => ([0, 6].includes(new Date(start).getUTCDay()) ? 0.6 : 1)

/** A moment within the 24 hours after `start`: those at three in the afternoon come five times as often as those at three in the night. */
function timeOfDay(random: Random, start: number): number {
  for (;;) {
    const offset = Math.floor(random.next() * DAY_MS)
    const hour = ((start + offset) % DAY_MS) / 3_600_000
    if (random.next() < 0.6 + 0.4 * Math.cos(((hour - 15) / 12) * Math.PI)) return offset
  }
}

const hex = (random: Random, bytes: number): string => bytesToHex(random.bytes(bytes))

const transaction = (random: Random, family: 'evm' | 'svm'): string =>
  family === 'evm' ? hex(random, 32) : base58.encode(random.bytes(64))
