import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { startChain } from '../../devnet/chain'
import { fundedKey } from '../../test/support/chain/funded-key'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { startRpcProxy } from '../../test/support/nodes/faulty-node'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { freshIp, post } from '../../test/support/service/client'
import { documented } from '../../test/support/service/documented'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { until } from '../../test/support/until'
import type { App } from '../app'
import { connect } from '../db/database'
import { facilitatorFor } from '../payments/facilitators'
import { supported } from '../payments/supported'
import { resetNetworks } from '../x402/networks/networks'
import { getHealth } from './endpoints'
import { createReadiness, type Part } from './readiness'
import { networkStatuses } from './signers'

const harness = fixture(() => startHarness({ production: true }))

type Answer = { status: number; body: { status: string; parts: Part[] } }

async function ready(app: Pick<App, 'readiness'>, query = '?ready=1'): Promise<Answer> {
  const response = await getHealth.handle({ ...harness.app, ...app }, new Request(`http://quittance.test/health${query}`))
  return documented('GET /health', { status: response.status, headers: response.headers, body: await response.json() })
}

/** The service with something of it replaced, as `/health?ready=1` sees it. */
function withParts(changed: Partial<Parameters<typeof createReadiness>[0]>): Pick<App, 'readiness'> {
  return { readiness: createReadiness({ ...harness.app, migrations: [], log: testLog(), ...changed }) }
}

const bad = ({ body }: Answer) => body.parts.filter((part) => !part.ready).map(({ part, message }) => [part, message])

test('GET /health?ready=1 is 200 with every part when payments can be sent', async () => {
  const { status, body } = await ready(harness.app)
  expect([status, body.status]).toEqual([200, 'ready'])
  expect(body.parts.map(({ part, ready, required }) => [part, ready, required])).toEqual([
    ['process', true, true],
    ['database', true, true],
    ['migrations', true, true],
    ['sandbox', true, false],
    ['production', true, true],
    ['eip155:84532 sandbox', true, false],
    ['eip155:84532 production', true, false],
  ])
})

test.each(['', '?ready=0', '?ready', '?x=1'])('GET /health%s is unchanged', async (query) => {
  const answer = await ready(withParts({ accepting: () => false }), query)
  expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
})

describe('GET /health?ready=1 is 503 and says what is wrong', () => {
  test('while the process stops', async () => {
    const answer = await ready(withParts({ accepting: () => false }))
    expect([answer.status, bad(answer)]).toEqual([503, [['process', 'is stopping; it takes no new payments']]])
  })

  test('without the database, and when it hangs', async () => {
    const hanging = createServer(() => {})
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const address = hanging.address()
    const port = typeof address === 'object' ? address?.port : 0
    for (const url of ['postgresql://user@127.0.0.1:1/gone', `postgresql://user@127.0.0.1:${port}/hangs`]) {
      const gone = connect({ url, waitMs: 60_000 })
      const answer = await ready(withParts({ db: gone.db }))
      expect([answer.status, bad(answer)[0]]).toEqual([503, ['database', 'does not answer']])
    }
    hanging.close()
  })

  test('of a database that lacks a migration', async () => {
    const answer = await ready(withParts({ migrations: ['20991231000000_of_tomorrow'] }))
    expect([answer.status, bad(answer)]).toEqual([
      503,
      [['migrations', 'lacks 20991231000000_of_tomorrow; start a process of this version to apply them']],
    ])
  })

  test('of the signers of a network, but not for those of the sandbox where there are others', async () => {
    const broke = await startHarness({ production: true, env: { LEASE_MS: '600' } })
    const lose = async (laneClass: string) => {
      const away = { holder: 'another', usable: false, leaseUntil: new Date('2100-01-01') }
      await broke.app.db.lane.updateMany({ where: { class: laneClass }, data: away })
      const lanes = () => broke.app.engine.laneStatus().filter((lane) => lane.class === laneClass)
      await until(() => lanes().every(({ status }) => status !== 'ready'), `the lane of ${laneClass} to be lost`, 30_000)
    }
    await lose('sandbox')
    await until(async () => bad(await ready(broke.app)).length === 2, 'its loss')
    expect((await ready(broke.app)).status).toBe(200)
    await lose('production')
    await until(async () => (await ready(broke.app)).status === 503, 'it not to be ready')
    expect(bad(await ready(broke.app))).toEqual([
      ['sandbox', 'no network can take payments now'],
      ['production', 'no network can take payments now'],
      ['eip155:84532 sandbox', 'no signer on eip155:84532 can take payments now'],
      ['eip155:84532 production', 'no signer on eip155:84532 can take payments now'],
    ])
    await broke.close()
  })
})

describe('a network is its own fault domain from the start', () => {
  const BASE = 'eip155:8453'
  const served = async ({ app }: Harness) => (await supported(app)).kinds.some(({ network }) => network === BASE)
  const isReady = async ({ app }: Harness) => (await ready(app)).status === 200
  const ofBase = async ({ app }: Harness) => bad(await ready(app)).find(([part]) => part === `${BASE} production`)?.[1]
  const started: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of started.splice(0)) await close()
    resetNetworks()
  })

  /** A service with Base behind a node, beside Base Sepolia. */
  async function beside(baseUrl: string, env: Record<string, string> = {}): Promise<Harness> {
    const given = { BASE_RPC_URL: baseUrl, KYT: 'off', LEASE_MS: '600', ...env }
    const service = await startHarness({ production: true, env: given, networks: ['eip155:84532'] })
    started.push(service.close)
    return service
  }

  test('a foreign chain is refused alone: it leaves /supported, and says what is wrong', async () => {
    const service = await beside(harness.chain.url)
    await until(() => isReady(service), 'the service to be ready')
    const why = 'every endpoint is on another chain: set BASE_RPC_URL to an endpoint of Base'
    expect(await ofBase(service)).toBe(`is refused: ${why}`)
    expect(await served(service)).toBe(false)
    const shown = (await networkStatuses(service.app)).networks.find(({ network }) => network === BASE)
    expect(shown).toMatchObject({ contradiction: why, nodes: 'wrong chain' })
    const paid = await post(service.app, 'settle', v2Body(await signed(await service.payer())), { ip: freshIp() })
    expect(paid).toMatchObject({ body: { success: true } })
  })

  test('a send endpoint of another chain refuses the network, although its other endpoints fit', async () => {
    const base = await startChain({ chainId: 8453, blockTimeSeconds: 0.2 })
    const foreign = await startRpcProxy(harness.chain.url)
    started.push(base.stop, foreign.close)
    const service = await beside(base.url, { BASE_SEND_RPC_URL: foreign.url })
    await until(() => isReady(service), 'the service to be ready')
    const why = 'every endpoint is on another chain: set BASE_SEND_RPC_URL to an endpoint of Base'
    expect(await ofBase(service)).toBe(`is refused: ${why}`)
    expect(await served(service)).toBe(false)
    const shown = (await networkStatuses(service.app)).networks.find(({ network }) => network === BASE)
    expect(shown?.endpoints).toMatchObject([{ status: 'fit' }, { status: 'foreign', use: 'send', variable: 'BASE_SEND_RPC_URL' }])
    expect(foreign.seen).not.toContain('eth_sendRawTransaction')
  })

  test('a network that is down at the start joins when it answers', async () => {
    const base = await startChain({ chainId: 8453, blockTimeSeconds: 0.2 })
    const node = await startRpcProxy(base.url)
    started.push(base.stop, node.close)
    node.receive(() => 'cut')
    const key = await fundedKey(base)
    const service = await beside(node.url, { BASE_SIGNER_KEYS: key })
    await until(() => isReady(service), 'the service to be ready')
    expect(await ofBase(service)).toBe(`no signer on ${BASE} can take payments now`)
    node.calm()
    await until(async () => (await ofBase(service)) === undefined, 'Base to join')
    expect(await served(service)).toBe(true)
  })

  test('a row that no node has confirmed is not served, and is compared when one answers', async () => {
    const base = await startChain({ chainId: 8453, blockTimeSeconds: 0.2 })
    const node = await startRpcProxy(base.url)
    started.push(base.stop, node.close)
    node.receive(() => 'cut')
    const wrong = [{ chainId: 8453, l1FeeOracle: '0x00000000000000000000000000000000000000aa' }]
    const service = await beside(node.url, { EVM_NETWORKS: JSON.stringify(wrong) })
    await until(() => isReady(service), 'the service to be ready')
    expect(() => facilitatorFor(service.app, 'standard', BASE)).toThrow('was not checked yet')
    node.calm()
    await until(async () => !(await served(service)), 'the network to be refused')
    expect(await ofBase(service)).toContain('no contract at the L1 fee oracle')
    expect(await isReady(service)).toBe(true)
  })

  test.each([
    ['REQUIRED_NETWORKS names it', { REQUIRED_NETWORKS: 'base' }],
    ['its row says so', { EVM_NETWORKS: '[{"chainId":8453,"required":true}]' }],
  ])('the service is not ready without a network that is required: %s', async (_how, env) => {
    const service = await beside(harness.chain.url, env)
    const answer = await ready(service.app)
    expect(answer.status).toBe(503)
    expect(answer.body.parts).toContainEqual(
      expect.objectContaining({ part: `${BASE} production`, ready: false, required: true }),
    )
  })
})
