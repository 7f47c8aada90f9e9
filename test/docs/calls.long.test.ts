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
/** Payments in a row, each alone. The least calls count: on a busy machine a request may be late, and comes again. */
const ALONE = 3
const TOGETHER = 10
/** By which factor a figure of the page may differ from what is counted, and from what is counted once: a busy machine judges fewer at once. */
const NEAR = 1.3
const FAR = 2
const LONG = 1_200_000

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
  // An act without a transaction takes no time, and looks at earlier ones fall into it.
  return { own: own.length / count, looksASecond: looks.length / Math.max(seconds, 10) }
}

const [, LOOKS_A_SECOND] = /at most (\d) calls a second/.exec(page) ?? []

/** Compares samples with a row of the page. A slow machine looks less often, never more, and asks a second endpoint what the first is slow to say. */
function expectCalls(row: string, samples: readonly Calls[], gas = 0): void {
  const [calls, gasOfRow] = statedOf(row)
  expectNear(row, calls, Math.min(...samples.map(({ own }) => own)), samples.length === 1 ? FAR : NEAR)
  expectLooks(row, samples)
  if (gas > 0) expectNear(`${row}, gas`, gasOfRow, gas, NEAR)
  else expect.soft(gasOfRow, row).toBeUndefined()
}

const expectLooks = (row: string, samples: readonly Calls[]) =>
  expect.soft(Math.max(...samples.map(({ looksASecond }) => looksASecond)), row).toBeLessThanOrEqual(Number(LOOKS_A_SECOND))

/** The calls of each of so many acts in a row. */
async function sampled(counted: Counted, what: string, { samples, of }: Samples, act: (sample: number) => Promise<unknown>) {
  const all: Calls[] = []
  for (let sample = 0; sample < samples; sample++) all.push(await callsOf(counted, what, of, () => act(sample)))
  return all
}

/** How many acts are counted, and how many payments each has. */
type Samples = { samples: number; of: number }
const EACH_ALONE = { samples: ALONE, of: 1 }

const OPEN = ['CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED']
const settled = (db: Db) =>
  until(async () => (await db.settlement.count({ where: { state: { in: OPEN } } })) === 0, 'settlements to be final', 300_000)

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

/** Compares what each of these acts costs with a row of the page: its calls, and the gas of its transactions if it has any. */
async function expectCost(row: string, how: Samples, act: (service: Service, sample: number) => Promise<unknown>): Promise<void> {
  const since = new Date()
  const [one, two] = evm.each
  const calls = await sampled(one, row, how, (sample) => act(one, sample))
  expectCalls(row, calls, Math.round((await gasSince(one, since)) / how.samples / how.of))
  expectLooks(row, await sampled(two, row, how, (sample) => act(two, sample)))
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
    await expectCost('`exact`, alone', EACH_ALONE, async (service) => (await ready(service))())
    await expectCost('`exact`, of ten together', { samples: 1, of: TOGETHER }, async (service) => {
      const all = await Promise.all(Array.from({ length: TOGETHER }, () => ready(service)))
      await Promise.all(all.map((now) => now()))
    })
  },
  LONG,
)

test(
  'a payment by upto, alone',
  async () => {
    await expectCost('`upto`, alone', EACH_ALONE, async ({ harness }) => {
      const { kinds } = Object((await newClient(harness.app).supported()).body)
      const facilitator = kinds.find(({ scheme }: { scheme: string }) => scheme === 'upto').extra.facilitatorAddress
      const payment = await createUptoForge(harness.chain).paying({ facilitator })
      await pay(newClient(harness.app), payment.body, payment.charging(700n))
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
    const channelOf = (service: Service, at: number) => {
      const channel = partOf(service).channels[at]
      if (!channel) throw new Error('this channel is not open')
      return channel
    }
    await expectCost('deposit into a channel', EACH_ALONE, async (service) => {
      const { open, channels } = partOf(service)
      channels.push(await open())
    })
    await expectCost('voucher that we judge', EACH_ALONE, async (service, sample) => {
      const { seller } = partOf(service)
      const { config, owner } = channelOf(service, sample)
      const body = await seller.forge.voucher(config, owner, 2_000n)
      expect((await seller.v1.verify(body)).body).toMatchObject({ isValid: true })
    })
    for (const { service, open, channels } of parts) {
      channels.push(...(await Promise.all(Array.from({ length: TOGETHER - ALONE }, open))))
      await settled(service.db)
    }
    await expectCost('claim of ten and payout', { samples: 1, of: 1 }, async (service) => {
      const { seller, channels } = partOf(service)
      const rows = await Promise.all(channels.map(({ config, owner }) => seller.forge.row(config, owner, 2_000n)))
      await land(seller.v1, seller.forge.claims(rows))
      await settled(service.db)
      await land(seller.v1, seller.forge.sweep())
    })
    await expectCost('refund of a channel', EACH_ALONE, async (service, sample) => {
      const { seller } = partOf(service)
      const { config, owner } = channelOf(service, sample)
      await land(seller.v1, await seller.forge.refund(config, owner, 2_000n, { amount: 1_000n }))
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
      const calls = await sampled(service, 'Solana, alone', EACH_ALONE, async () => {
        const { body } = await service.purchase()
        await pay(newClient(service.app), body)
      })
      expectCalls('Solana, alone', calls)
    } finally {
      await service.close()
    }
  },
  LONG,
)
