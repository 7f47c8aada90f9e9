import { describe, expect, test } from 'vitest'
import { refusal } from '../../../test/support/svm/fake-cluster'
import { callsOf, failed, judged, listOf, passing, payment, world } from '../../../test/support/svm/judgement'

describe('how long its blockhash lives', () => {
  test.each<[string, unknown, bigint]>([
    ['is given by its position in the list', listOf(0), 150n],
    ['is given by its position in the list', listOf(135), 15n],
    ['is not known of a node without the list: all of its life counts', refusal(-32_601, 'Method not found'), 150n],
    ['is not known from an empty account', { context: { slot: 400 }, value: null }, 150n],
    ['is not known from a list that is cut off', listOf(null, { length: 151 }), 150n],
    ['is not known from a list that is older than the simulation', listOf(null, { slot: 399 }), 150n],
    ['is not known from a short list that lacks it', listOf(null, { length: 149 }), 150n],
  ])('%s (%#)', async (_, blockhashes, left) => {
    expect((await judged({ simulation: passing(), blockhashes })).judgement).toMatchObject({ valid: true, left })
  })

  test.each<[string, unknown, number]>([
    ['by its place', listOf(136), 14],
    ['by its place, the last one', listOf(149), 1],
    ['because a whole list of now lacks it', listOf(null), 0],
  ])('is too little: %s', async (_, blockhashes, left) => {
    const { judgement } = await judged({ simulation: passing(), blockhashes })
    expect(judgement).toEqual(
      failed(`The transaction's blockhash expires in ${left} blocks, and a payment needs 15; sign again with a new one.`),
    )
  })

  test('is one read a second for all payments, also when no node answers', async () => {
    for (const blockhashes of [listOf(3), refusal(-32_601, 'Method not found')]) {
      const { chain, node, clock } = await world({ simulation: passing(), blockhashes })
      const reads = () => callsOf(node).filter((method) => method === 'getAccountInfo').length
      await Promise.all([1, 2, 3].map(() => chain.judge(payment)))
      clock.now = 999
      await chain.judge(payment)
      expect(reads()).toBe(1)
      clock.now = 1_001
      await chain.judge(payment)
      expect(reads()).toBe(2)
    }
  })
})
