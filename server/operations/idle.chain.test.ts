import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startProxiedHarness } from '../../test/support/nodes/proxied-harness'
import { ADMIN_KEY } from '../../test/support/service/harness'
import { startSvmHarness } from '../../test/support/svm/harness'
import type { App } from '../app'
import { getMetrics } from './endpoints'
import { status } from './status/status'

const solana = fixture(() => startSvmHarness({ feePayers: 3 }))
const base = fixture(() => startProxiedHarness({ lanes: 2 }))

/** What operators and balancers ask all the time. */
async function watch(app: App): Promise<void> {
  const authorization = `Bearer ${ADMIN_KEY}`
  for (let round = 0; round < 4; round++) {
    expect((await app.readiness()).ready).toBe(true)
    await status(app)
    await getMetrics.handle(app, new Request('http://quittance.test/metrics', { headers: { authorization } }))
    // Metrics are read at most once in five seconds.
    await delay(1_700)
  }
}

describe('while no payment comes, the readiness, the status and the metrics', () => {
  test('cost a Solana node no call', async () => {
    const before = solana.node.seen.length
    await watch(solana.app)
    expect(solana.node.seen.slice(before)).toEqual([])
  })

  test('cost an EVM node one read of each balance', async () => {
    const before = base.node.seen.length
    await watch(base.harness.app)
    const balances = base.node.seen.slice(before).filter((method) => method !== 'eth_chainId')
    expect(balances).toEqual(['eth_getBalance', 'eth_getBalance'])
  })
})
