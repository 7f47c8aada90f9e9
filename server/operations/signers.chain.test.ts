import { describe, expect, test } from 'vitest'
import { newClaimed } from '../../test/support/database/ledger'
import { fixture } from '../../test/support/fixture'
import { testLog } from '../../test/support/logs'
import { startHarness } from '../../test/support/service/harness'
import type { ConfiguredNetwork } from '../app'
import { createEvmChain } from '../chains/evm/chain'
import { createRpc } from '../chains/evm/rpc'
import { createSignerBalances } from './balances'
import { networkStatuses, runwayDays, senders, topUpOf } from './signers'

describe('how long a balance lasts', () => {
  test.each([
    ['what is spent in a day', 100n, { spent: '100', days: 1 }, 1, 1],
    ['over the days in which it was spent', 100n, { spent: '700', days: 7 }, 1, 1],
    ['longer when others share the work', 100n, { spent: '100', days: 1 }, 3, 3],
    ['amounts that no number holds', 10n ** 30n, { spent: (10n ** 29n).toString(), days: 1 }, 1, 10],
    ['less than a day', 1n, { spent: '100', days: 1 }, 1, 0],
    ['at most ten years', 10n ** 30n, { spent: '1', days: 1 }, 1, 3_650],
    ['not known without a balance', null, { spent: '100', days: 1 }, 1, null],
    ['not known when nothing was spent', 100n, undefined, 1, null],
  ])('%s', (_what, balance, spend, sharers, days) => expect(runwayDays(balance, spend, sharers)).toBe(days))
})

describe('what to send so that a balance lasts 30 days', () => {
  test.each([
    ['what 30 days cost less what is there', 100n, { spent: '700', days: 7 }, 1, 2_900n],
    ['a share of it when others share the work, rounded up', 0n, { spent: '100', days: 7 }, 2, 215n],
    ['amounts that no number holds', 0n, { spent: (10n ** 29n).toString(), days: 1 }, 1, 3n * 10n ** 30n],
    ['nothing when it lasts longer', 10_000n, { spent: '700', days: 7 }, 1, 0n],
    ['not known without a balance', null, { spent: '100', days: 1 }, 1, null],
    ['not known when nothing was spent', 100n, undefined, 1, null],
  ])('%s', (_what, balance, spend, sharers, topUp) => expect(topUpOf(balance, spend, sharers)).toBe(topUp))
})

describe('the console', () => {
  const harness = fixture(() => startHarness({ production: true, env: { KYT: 'off' } }))

  test('shows every signer with its balance on the chain', async () => {
    const rows = await senders(harness.app)
    expect(rows.map(({ class: laneClass, status, balance }) => [laneClass, status, balance]).sort()).toEqual([
      ['production', 'ready', 10n ** 19n],
      ['sandbox', 'ready', 10n ** 19n],
    ])
  })

  test('shows networks with the tiers that we serve, what waits for too long, and that screening is off', async () => {
    const empty = await networkStatuses(harness.app)
    expect(empty).toMatchObject({
      networks: [{ network: 'eip155:84532', tiers: ['sandbox', 'standard'], nodes: 'answers', queue: null, signers: 2 }],
      stuck: [],
      quarantined: 0,
      webhooks: [],
      screening: { sandbox: 'off', production: 'off' },
    })
    expect(empty.networks[0]).toMatchObject({
      block: { number: expect.stringMatching(/^\d+$/), at: expect.any(Date) },
      endpoints: [{ status: 'fit', failed: 0, medianMs: expect.any(Number) }],
    })
    // On a network without a sender here, so that it stays.
    const { id } = await newClaimed(harness.app.db, { network: 'eip155:8453', laneClass: 'production' })
    await harness.app.db.settlement.update({ where: { id }, data: { createdAt: new Date(Date.now() - 120_000) } })
    expect((await networkStatuses(harness.app)).stuck).toMatchObject([{ id, network: 'eip155:8453' }])
  })
})

test('a node that does not answer is unknown, and no error', async () => {
  const chain = createEvmChain('eip155:84532', createRpc(['http://127.0.0.1:1'], 'eip155:84532', testLog()))
  const network: ConfiguredNetwork = {
    family: 'evm',
    chain,
    flash: null,
    endpoints: () => [],
    signers: { sandbox: [], production: [] },
  }
  const signerBalances = createSignerBalances(new Map([['eip155:84532', network]]), testLog())
  expect(await signerBalances.balance('eip155:84532', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C')).toBeNull()
  expect(await signerBalances.nodes('eip155:84532')).toEqual({ health: 'silent', block: null })
  expect(await signerBalances.balance('eip155:8453', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C')).toBeNull()
})
