import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Db } from '../../server/db/database'
import { CHANNEL_SECRETS, createSellers } from '../support/batch-settlement/sellers'
import { fixture } from '../support/fixture'
import type { RpcProxy } from '../support/nodes/faulty-node'
import { startProxiedHarness } from '../support/nodes/proxied-harness'
import { signed, v2Body } from '../support/payloads/payments'
import { createUptoForge } from '../support/permit2/upto'
import { type Client, newClient } from '../support/service/surface'
import { ROOT } from '../support/source-files'
import { startSvmHarness } from '../support/svm/harness'
import { until } from '../support/until'

// The calls to nodes that docs/costs.md names, counted at proxies. Blocks come as on Base, and the service waits as configured.
const PACE = { blockTimeSeconds: 2, env: { FINALITY_DEPTH: '5', RECHECK_MS: '4000' } }
const NEVER = 3_600_000
/** Payments in a row, each alone, whose mean counts. */
const ALONE = 2
const TOGETHER = 10
/** By which factor a figure of the page may differ from what is counted; of ten together a busy machine judges fewer at once. */
const NEAR = 1.3
const FAR = 2
const LONG = 600_000

const page = readFileSync(path.join(ROOT, 'docs/costs.md'), 'utf8')

/** The figures of a row of the page. */
function statedOf(row: string): number[] {
  const line = page.split('\n').find((one) => one.startsWith(`| ${row} `)) ?? ''
  return line
    .split('|')
    .slice(2)
    .flatMap((figure) => (/\d/.test(figure) ? [Number(figure.replaceAll(',', ''))] : []))
}

function expectNear(what: string, stated: number | undefined, counted: number, factor: number): void {
  expect.soft(stated, `${what}: ${counted}`).toBeGreaterThanOrEqual(counted / factor)
  expect.soft(stated, `${what}: ${counted}`).toBeLessThanOrEqual(counted * factor)
}

/** On a busy machine a block or an answer of the node may come after the time that a request waits. */
const isLate = (body: unknown) =>
  ['settlement_pending', 'upstream_unreachable'].some((reason) => JSON.stringify(body).includes(`"${reason}"`))

/** Settles. */
async function land(client: Pick<Client, 'settle'>, body: object): Promise<void> {
  let answer = (await client.settle(body)).body
  while (isLate(answer)) answer = (await client.settle(body)).body
  expect(answer, JSON.stringify(answer)).toMatchObject({ success: true })
}

async function pay(client: Pick<Client, 'verify' | 'settle'>, body: object, charged = body): Promise<void> {
  let verdict = (await client.verify(body)).body
  while (isLate(verdict)) verdict = (await client.verify(body)).body
  expect(verdict, JSON.stringify(verdict)).toMatchObject({ isValid: true })
  await land(client, charged)
}

type Counted = { db: Db; nodes: readonly RpcProxy[] }

/** What a payment asks by itself, and how often in a second those that are on their way are looked at. */
type Calls = { own: number; looksASecond: number }

/** How the way of payments is followed. The clock says how often, and one call is for all of them. */
const LOOKS = ['eth_getTransactionReceipt', 'getSignatureStatuses']
/** Judging and signing read a block in the same HTTP request as its contracts; a read of it alone follows the chain. */
const BLOCK = 'eth_getBlockByNumber'
/** Calls that come now and then, also without payments. */
const IDLE = ['eth_chainId', 'getGenesisHash']

/** The calls of an act until its settlements are final, for each of `count`. Prints them by method. */
async function callsOf({ db, nodes }: Counted, what: string, count: number, act: () => Promise<unknown>): Promise<Calls> {
  const before = nodes.map(({ traffic }) => traffic.length)
  const startedAt = performance.now()
  await act()
  await settled(db)
  const seconds = (performance.now() - startedAt) / 1_000
  const calls = nodes.flatMap(({ traffic }, at) =>
    traffic.slice(before[at]).flatMap(({ calls: together }) => {
      const methods = together.map(({ method }) => method).filter((method) => !IDLE.includes(method))
      const judges = methods.includes('eth_call')
      return methods.map((method) => ({ method, isLook: LOOKS.includes(method) || (method === BLOCK && !judges) }))
    }),
  )
  const [own, looks] = [calls.filter(({ isLook }) => !isLook), calls.filter(({ isLook }) => isLook)]
  const byMethod = (some: typeof calls) => {
    const names = [...new Set(some.map(({ method }) => method))]
    return Object.fromEntries(names.map((name) => [name, some.filter(({ method }) => method === name).length / count]))
  }
  console.log(`${what}, ${nodes.length} endpoints, ${seconds.toFixed(1)} s`, byMethod(own), 'looks', byMethod(looks))
  return { own: own.length / count, looksASecond: looks.length / seconds }
}

const [, LOOKS_A_SECOND] = /at most (\d) calls a second/.exec(page) ?? []

/** Compares with a row of the page. A slow machine looks less often, never more, and asks a second endpoint what the first is slow to say. */
function expectCalls(row: string, [one, ...more]: readonly [Calls, ...Calls[]], gas = 0): void {
  const [calls, gasOfRow] = statedOf(row)
  expectNear(row, calls, one.own, row.includes('together') ? FAR : NEAR)
  for (const { looksASecond } of [one, ...more]) expect.soft(looksASecond, row).toBeLessThanOrEqual(Number(LOOKS_A_SECOND))
  if (gas > 0) expectNear(`${row}, gas`, gasOfRow, gas, NEAR)
  else expect.soft(gasOfRow, row).toBeUndefined()
}

const OPEN = ['CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED']
const settled = (db: Db) =>
  until(async () => (await db.settlement.count({ where: { state: { in: OPEN } } })) === 0, 'settlements to be final', 90_000)

const start = async (nodes: number, channelsEveryMs?: number) => {
  const env = { ...PACE.env, KYT: 'off', CHANNEL_SECRETS }
  const seams = channelsEveryMs === undefined ? {} : { channelsEveryMs }
  const proxied = await startProxiedHarness({ ...PACE, nodes, production: true, env, seams })
  return { ...proxied, db: proxied.harness.database.db }
}
type Service = Awaited<ReturnType<typeof start>>
const evm = fixture(async () => {
  const [one, two] = await Promise.all([start(1, NEVER), start(2, NEVER)])
  return { each: [one, two] as const, close: () => Promise.all([one.close(), two.close()]) }
})

/** Compares what each of these costs with a row of the page: its calls, and the gas of its transactions if it has any. */
async function expectCost(row: string, count: number, act: (service: Service) => Promise<unknown>): Promise<void> {
  const since = new Date()
  const [one, two] = evm.each
  const counted = (service: Service) => callsOf(service, row, count, () => act(service))
  const calls = await Promise.all([counted(one), counted(two)])
  expectCalls(row, calls, Math.round((await gasSince(one, since)) / count))
}

/** The gas of the transactions of all settlements since then. */
async function gasSince({ db, harness }: Service, since: Date): Promise<number> {
  const rows = await db.settlement.findMany({ where: { createdAt: { gte: since } }, select: { txHash: true } })
  const hashes = [...new Set(rows.flatMap(({ txHash }) => txHash ?? []))]
  const { client } = harness.chain
  const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash: `0x${hash.slice(2)}` })))
  return receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0)
}

test(
  'a payment by exact, alone and among ten',
  async () => {
    const ready = async ({ harness }: Service) => {
      const body = v2Body(await signed(await harness.payer()))
      return () => pay(newClient(harness.app), body)
    }
    // A receiver's first payment takes more gas.
    for (const service of evm.each) await (await ready(service))()
    for (const { db } of evm.each) await settled(db)
    await expectCost('`exact`, alone', ALONE, async (service) => {
      for (let at = 0; at < ALONE; at++) {
        await (await ready(service))()
        await settled(service.db)
      }
    })
    await expectCost('`exact`, of ten together', TOGETHER, async (service) => {
      const all = await Promise.all(Array.from({ length: TOGETHER }, () => ready(service)))
      await Promise.all(all.map((now) => now()))
    })
  },
  LONG,
)

test(
  'a payment by upto, alone',
  async () => {
    await expectCost('`upto`, alone', ALONE, async ({ harness, db }) => {
      const { kinds } = Object((await newClient(harness.app).supported()).body)
      const facilitator = kinds.find(({ scheme }: { scheme: string }) => scheme === 'upto').extra.facilitatorAddress
      for (let at = 0; at < ALONE; at++) {
        const payment = await createUptoForge(harness.chain).paying({ facilitator })
        await pay(newClient(harness.app), payment.body, payment.charging(700n))
        await settled(db)
      }
    })
  },
  LONG,
)

test(
  'deposit, voucher, claim, payout and refund of channels',
  async () => {
    const parts = await Promise.all(
      evm.each.map(async (service) => {
        const sellers = createSellers(() => service.harness)
        const seller = await sellers.newSeller()
        const open = async () => {
          const who = await seller.forge.payer()
          const made = await seller.forge.deposit(who)
          await land(seller.v1, made.body)
          return { ...who, ...made }
        }
        const channels: Awaited<ReturnType<typeof open>>[] = []
        return { service, open, seller, channels }
      }),
    )
    const partOf = (service: Service) => {
      const part = parts.find((one) => one.service === service)
      if (!part) throw new Error('this service has no seller')
      return part
    }
    await expectCost('deposit into a channel', ALONE, async (service) => {
      const { open, channels } = partOf(service)
      for (let at = 0; at < ALONE; at++) {
        channels.push(await open())
        await settled(service.db)
      }
    })
    await expectCost('voucher that we judge', ALONE, async (service) => {
      const { seller, channels } = partOf(service)
      for (const { config, owner } of channels) {
        const body = await seller.forge.voucher(config, owner, 2_000n)
        expect((await seller.v1.verify(body)).body).toMatchObject({ isValid: true })
      }
    })
    for (const { service, open, channels } of parts) {
      channels.push(...(await Promise.all(Array.from({ length: TOGETHER - ALONE }, open))))
      await settled(service.db)
    }
    await expectCost('claim of ten and payout', 1, async (service) => {
      const { seller, channels } = partOf(service)
      const rows = await Promise.all(channels.map(({ config, owner }) => seller.forge.row(config, owner, 2_000n)))
      await land(seller.v1, seller.forge.claims(rows))
      await settled(service.db)
      await land(seller.v1, seller.forge.sweep())
    })
    await expectCost('refund of a channel', 1, async (service) => {
      const { seller, channels } = partOf(service)
      for (const { config, owner } of channels.slice(0, 1)) {
        await land(seller.v1, await seller.forge.refund(config, owner, 2_000n, { amount: 1_000n }))
        await settled(service.db)
      }
    })
  },
  LONG,
)

test(
  'channels that stay open, while nothing happens: a reading of the chain, which comes once a minute',
  async () => {
    // Twelve rounds are a reading: here they come quicker.
    const { harness, nodes, db, close } = await start(1, 1_000)
    try {
      const sellers = createSellers(() => harness)
      await sellers.opened(await sellers.newSeller())
      await settled(db)
      const before = nodes[0]?.seen.length ?? 0
      const seen = () => (nodes[0]?.seen.slice(before) ?? []).filter((method) => method !== 'eth_chainId')
      const readings = () => seen().flatMap((method, at) => (method === 'eth_getLogs' ? at : []))
      await until(async () => readings().length >= 6, 'readings', 240_000)
      const [, stated = ''] = /one instance makes (\d+) a minute on their network/.exec(page.replaceAll(/\s+/g, ' ')) ?? []
      // The first ones still follow the deposit, and finality does so beside them.
      const counts = readings().map((at, place, all) => at - (all[place - 1] ?? Number.NEGATIVE_INFINITY))
      expect.soft(Number(stated), String(counts)).toBe(Math.min(...counts))
    } finally {
      await close()
    }
  },
  LONG,
)

test(
  'a payment on Solana, alone',
  async () => {
    const service = await startSvmHarness({ slotMs: 400, finalizedSlots: 31, nodes: 1, env: { RECHECK_MS: '4000' } })
    try {
      const calls = await callsOf(service, 'Solana, alone', ALONE, async () => {
        for (let at = 0; at < ALONE; at++) {
          const { body } = await service.purchase()
          await pay(newClient(service.app), body)
          await settled(service.db)
        }
      })
      expectCalls('Solana, alone', [calls])
    } finally {
      await service.close()
    }
  },
  LONG,
)
