import { expect, test } from 'vitest'
import type { Head } from '../../chains/evm/rpc'
import { baseFeeFor } from './pricing'

const GWEI = 10n ** 9n
const USUAL = 6n * GWEI
const TOO_DEAR = 120n * GWEI

const seen = (baseFee: bigint): Head => ({ number: 1n, hash: '0x01', timestamp: 0n, baseFee })
const chainAt = (lowest: bigint | null) => ({ network: 'eip155:84532' as const, lowestBaseFee: async () => lowest })

test.each([
  { name: 'the judged one, before the watcher saw a block', head: null, judged: USUAL, paid: USUAL },
  { name: "that of the watcher's block, when the judged one is lower", head: seen(2n * USUAL), judged: USUAL, paid: 2n * USUAL },
  { name: "the judged one, when the watcher's block is older", head: seen(USUAL), judged: 2n * USUAL, paid: 2n * USUAL },
])('a transaction is priced by $name', async ({ head, judged, paid }) => {
  expect(await baseFeeFor(chainAt(null), head, judged)).toBe(paid)
})

test.each([
  { name: 'the watcher', head: seen(TOO_DEAR), judged: USUAL },
  { name: 'the judgement', head: seen(USUAL), judged: TOO_DEAR },
])('a fee that is too dear by $name is believed if no endpoint names a lower one', async ({ head, judged }) => {
  expect(await baseFeeFor(chainAt(TOO_DEAR), head, judged)).toBeNull()
  expect(await baseFeeFor(chainAt(USUAL), head, judged)).toBe(USUAL)
  expect(await baseFeeFor(chainAt(null), head, judged)).toBeNull()
})
