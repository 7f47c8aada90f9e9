import { execFile, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { channelSales, STORAGE_WAITS } from '../../../test/interop/channel-sales'
import { PRICE } from '../../../test/interop/channel-traffic'
import { createChannelForge } from '../../../test/support/batch-settlement/channels'
import { rowOf } from '../../../test/support/batch-settlement/kept-channels'
import { fixture } from '../../../test/support/fixture'
import { newPermit2Payer } from '../../../test/support/permit2/permit2'
import { programOf, pythonEnv, startPythonServer } from './programs'
import { builtWheel, PYTHON } from './wheel'

const wheel = fixture(async () => {
  const built = await builtWheel()
  return { ...built, close: () => rmSync(built.folder, { recursive: true, force: true }) }
})

/** A storage in a process of its own until the test ends, and what else that process can do with it. */
function openStorage(facilitator: string, late?: 'late') {
  const waits = late ? [String(STORAGE_WAITS.answerWithinMs), '0'] : Object.values(STORAGE_WAITS).map(String)
  const child = spawn(PYTHON, [programOf('storage.py'), facilitator, ...waits], {
    env: pythonEnv(wheel.site),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let before: Promise<unknown> = Promise.resolve()
  const call = (...what: unknown[]): Promise<unknown> => {
    const answered = before.then(async () => {
      child.stdin.write(`${JSON.stringify(what)}\n`)
      const { value } = await lines.next()
      if (value === undefined) throw new Error('the storage ended')
      return JSON.parse(value)
    })
    before = answered
    return answered
  }
  return {
    get: async (id: string) => (await call('get', id)) ?? undefined,
    keep: (row: unknown) => call('keep', row),
    acquire: async (...lock: [string, string, number]) => (await call('acquire', ...lock)) === true,
    release: (...lock: [string, string]) => call('release', ...lock),
    isHeld: async (id: string, pendingId?: string) => (await call('isHeld', id, pendingId ?? null)) === true,
    list: () => call('list'),
    remove: (id: string) => call('remove', id),
    charge: (id: string, times: number) => call('charge', id, times),
    fork: (ids: string[]) => call('fork', ids),
  }
}

const { harness, newSeller } = channelSales({
  async startStream(settings) {
    const STREAM = JSON.stringify({ ...settings, ...STORAGE_WAITS })
    const { url, kill } = await startPythonServer('stream.py', wheel.site, { STREAM })
    return { url: `${url}/stream`, stop: kill }
  },
  openStorage,
})

test('the official client in Python buys ten answers through one channel of two processes, and the service claims them', async () => {
  const seller = await newSeller()
  const servers = [await seller.start(), await seller.start()]
  const key = generatePrivateKey()
  await newPermit2Payer(harness.chain, 1_000_000n, privateKeyToAccount(key))
  const buy = async (at: number, count: number) => {
    const asked = [programOf('buyer.py'), key, harness.chain.url, String(count), `${servers[at]?.url}?charge=70`]
    const { stdout } = await promisify(execFile)(PYTHON, asked, { env: pythonEnv(wheel.site) })
    return JSON.parse(stdout)
  }
  expect(await buy(0, 6)).toEqual(Array.from({ length: 6 }, () => [200, '70']))
  // A client that begins anew learns from the other process what was charged.
  expect(await buy(1, 4)).toEqual(Array.from({ length: 4 }, () => [200, '70']))
  expect(await seller.usage()).toEqual({ requests: 10n, charged: 700n })
  await seller.claimed(700n)
  expect(700n).toBeLessThan(PRICE)
  await Promise.all(servers.map(({ stop }) => stop()))
})

describe('a storage in Python', () => {
  async function newRow({ receiver, authorizer }: { receiver: Address; authorizer: Address }) {
    const forge = createChannelForge(harness.chain, receiver, authorizer)
    const who = await forge.payer({ balance: 0n, approved: false })
    return rowOf(forge.configOf(who), who.owner, { signed: 100n, charged: 0n })
  }

  test('counts every charge of many threads in two processes, once', async () => {
    const seller = await newSeller()
    const [one, other] = [openStorage(seller.facilitator), openStorage(seller.facilitator)]
    const row = await newRow(seller)
    expect(await one.keep(row)).toBe('updated')
    await Promise.all([one.charge(row.channelId, 10), other.charge(row.channelId, 10)])
    expect(await one.get(row.channelId)).toMatchObject({ chargedCumulativeAmount: '20', signedMaxClaimable: '100' })
    expect(await seller.usage()).toMatchObject({ charged: 20n })
  })

  test('lists and deletes its channels, and shares no connection with a fork', async () => {
    const seller = await newSeller()
    const storage = openStorage(seller.facilitator)
    const rows = [await newRow(seller), await newRow(seller)]
    for (const row of rows) await storage.keep(row)
    const ids = rows.map(({ channelId }) => channelId).toSorted()
    expect(await storage.list()).toEqual(ids)
    expect(await storage.fork(ids)).toBe(0)
    const [first = ''] = ids
    expect(await storage.remove(first)).toEqual(['deleted', 'unchanged'])
    expect(await storage.list()).toEqual(ids.slice(1))
  })
})
