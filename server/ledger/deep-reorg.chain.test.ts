import { expect, test } from 'vitest'
import { newPayments } from '../../test/money/faults/fault-harness'
import { isSuccess } from '../../test/support/chain/settled-once'
import { fixture } from '../../test/support/fixture'
import { v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { startHarness } from '../../test/support/service/harness'
import { until } from '../../test/support/until'

const harness = fixture(() =>
  startHarness({
    blockTimeSeconds: 1,
    env: { BATCH_MAX: '1', FINALITY_DEPTH: '2', RECHECK_MS: '300', SETTLE_DEADLINE_MS: '60000' },
  }),
)

test('a reorganisation deeper than the depth leaves no gap of nonces: what the chain lost is sent again, and the lane goes on', async () => {
  const { app, chain } = harness
  const [first, second, later] = await newPayments(harness, 3)
  if (!first || !second || !later) throw new Error('no payments')
  for (const payment of [first, second]) expect(isSuccess(await post(app, 'settle', v2Body(payment)))).toBe(true)
  await until(async () => (await app.db.slot.count({ where: { state: 'open' } })) === 0, 'both to be deep')
  const [oldest] = await app.db.attempt.findMany({ orderBy: { block: 'asc' } })
  if (!oldest?.block) throw new Error('nothing was mined')
  const head = await chain.client.getBlockNumber()
  await chain.reorganise(Number(head - oldest.block) + 1)
  const balanceOf = ({ authorization }: typeof first) => chain.tokens(authorization.from)
  expect(await balanceOf(first)).toBe(1_000_000n)

  expect(isSuccess(await post(app, 'settle', v2Body(later)))).toBe(true)
  for (const payment of [first, second, later]) expect(await balanceOf(payment)).toBe(999_000n)
  expect(await app.db.slot.count()).toBe(3)
})
