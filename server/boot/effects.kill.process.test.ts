import { rm } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NO_OFFENCE } from '../../test/money/audit'
import { type KillSetup, startKillSetup } from '../../test/money/kill/kills'
import { fundedKey } from '../../test/support/chain/funded-key'
import { embeddedFolder } from '../../test/support/database/embedded'
import { inLongRuns } from '../../test/support/long-run'
import { v2Body } from '../../test/support/payloads/payments'
import { type StandInRegistry, startAgentRegistry } from '../../test/support/service/agent-registry'
import { freshIp } from '../../test/support/service/client'
import { killedItself, postTo, type ServiceProcess } from '../../test/support/service/process'
import { until } from '../../test/support/until'
import type { FailpointName } from '../base/failpoints'

let setup: KillSetup
let registry: StandInRegistry
beforeAll(async () => {
  registry = await startAgentRegistry()
  setup = await startKillSetup({ AGENT_REGISTRY_URL: registry.url })
})
afterEach(() => setup.clear())
afterAll(async () => {
  await setup.close()
  await registry.close()
})

let shops = 0

/** Settles a payment of a new payer that declares a new resource. */
async function buy(service: Pick<ServiceProcess, 'url'>) {
  const { payment } = await setup.newCustomer()
  const resource = { url: `https://shop-${++shops}.com/thing` }
  const extensions = { bazaar: { info: { input: { type: 'http', method: 'GET' } }, schema: {} } }
  const body = v2Body(payment)
  const paymentPayload = { ...Object(body.paymentPayload), resource, extensions }
  const answer = await postTo(service, '/sandbox/settle', { ...body, paymentPayload }, freshIp())
  return { answer, wallet: payment.authorization.from.toLowerCase(), url: resource.url }
}

/** The stored effects of a purchase: its listing with accepts, and its payer's lookup and tokens. */
async function written({ wallet, url }: { wallet: string; url: string }) {
  const { db } = setup.database
  const entries = await db.resource.findMany({ where: { url }, select: { accepts: { select: { network: true } } } })
  const lookups = await db.agentLookup.count({ where: { wallet } })
  return { entries, lookups, tokens: await db.agentToken.count({ where: { wallet } }) }
}

const ONCE = { entries: [{ accepts: [{ network: 'eip155:84532' }] }], lookups: 1, tokens: 0 }

const open = () => setup.database.db.outbox.count({ where: { doneAt: null } })

async function free(): Promise<number> {
  const { count } = await setup.database.db.outbox.updateMany({ where: { doneAt: null }, data: { nextAt: new Date() } })
  return count
}

describe('a process killed during the effects of a success', () => {
  test.each<FailpointName>(['effect taken', 'effect ready', 'effect written'])(
    'with an %s: the next process completes it, once',
    async (moment) => {
      const doomed = await setup.start({ FAILPOINT: moment })
      const bought = await buy(doomed)
      await killedItself(doomed)
      await setup.start()
      // The worker that took it is gone: the test does not wait for the lease. Its last statement may end after it, so more than once.
      await until(async () => (await open()) === 0 || (await free()) < 0, 'the open effects', 60_000, 2_000)
      expect(await written(bought)).toEqual(ONCE)
      const rows = await setup.database.db.outbox.findMany({ where: { gaveUp: true } })
      expect(rows).toEqual([])
    },
  )

  test('leaves a ledger without findings of the auditor', async () => {
    expect(await setup.audit()).toEqual(NO_OFFENCE)
  })

  inLongRuns(() => {
    test('on the embedded database too', async () => {
      const folder = await embeddedFolder()
      const signer = await fundedKey(setup.chain)
      const embedded = { DATABASE_URL: '', DATA_DIR: folder, EVM_SANDBOX_SIGNER_KEYS: signer, SETTLE_DEADLINE_MS: '20000' }
      const doomed = await setup.start({ ...embedded, FAILPOINT: 'effect ready' })
      const bought = await buy(doomed)
      await killedItself(doomed)
      const service = await setup.start(embedded)
      // Never the same page twice, because pages are cached.
      let asked = 0
      const listed = async () => {
        const response = await fetch(`${service.url}/sandbox/discovery/resources?limit=${100 - (asked++ % 100)}`)
        const { items }: { items: { resource: string }[] } = await response.json()
        return items.some(({ resource }) => resource === bought.url)
      }
      await until(listed, 'the resource to be listed', 20_000, 200)
      await service.kill('SIGTERM')
      await rm(folder, { recursive: true })
    })
  })
})
