import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { documented } from '../../test/documented'
import { fixture } from '../../test/fixture'
import { startHarness, until } from '../../test/harness'
import { testLog } from '../../test/logs'
import type { App } from '../app'
import { connect } from '../db/database'
import { getHealth } from './endpoints'
import { createReadiness, type Part } from './readiness'

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
    ['eip155:84532 sandbox', true, false],
    ['eip155:84532 production', true, true],
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
    await until(async () => bad(await ready(broke.app)).length === 1, 'its loss')
    expect((await ready(broke.app)).status).toBe(200)
    await lose('production')
    await until(async () => (await ready(broke.app)).status === 503, 'it not to be ready')
    expect(bad(await ready(broke.app))).toEqual([
      ['eip155:84532 sandbox', 'no signer on eip155:84532 can take payments now'],
      ['eip155:84532 production', 'no signer on eip155:84532 can take payments now'],
    ])
    await broke.close()
  })
})
