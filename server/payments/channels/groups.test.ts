import { type Hex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { rowsOf } from './claims'
import { groupsOf } from './groups'

const NETWORK = 'eip155:84532'
const [ONE, OTHER, TOKEN]: Hex[] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}` as const)
const address = (one: Hex | undefined): Hex => one ?? zeroAddress

/** As many rows of one authorizer's channels, whose payers sign by key or by code. */
const rows = (count: number, { by = address(ONE), authorizer = address(OTHER) } = {}) =>
  rowsOf(
    NETWORK,
    Array.from({ length: count }, (_, at) => ({
      channel: {
        payer: address(ONE),
        payerAuthorizer: by,
        receiver: address(OTHER),
        receiverAuthorizer: authorizer,
        token: address(TOKEN),
        withdrawDelay: 900,
        salt: `0x${at.toString(16).padStart(64, '0')}` as const,
      },
      voucher: { maxClaimable: 1n, signature: `0x${'00'.repeat(65)}` as const },
      totalClaimed: 1n,
    })),
  )

const sizes = (...of: Parameters<typeof groupsOf>) => groupsOf(...of).map(({ length }) => length)

test('a hundred rows of keys of one authorizer are one claim, and rows that code decides are apart', () => {
  expect(sizes(NETWORK, rows(100), new Map())).toEqual([100])
  expect(
    sizes(NETWORK, [...rows(3), ...rows(2, { by: zeroAddress }), ...rows(4, { authorizer: address(TOKEN) })], new Map()),
  ).toEqual([3, 2, 4])
})

test('each claim fits in one transaction', () => {
  const parts = sizes(NETWORK, rows(100, { by: zeroAddress }), new Map())
  expect(parts.reduce((sum, one) => sum + one, 0)).toBe(100)
  expect(Math.max(...parts)).toBeLessThan(53)
})

test('rows of a claim that reverted go in halves of it, until each is alone; the others stay together', () => {
  const all = rows(10)
  const of = (fewest: number, some: typeof all) => new Map(some.map(({ id }) => [id, { fewest, alone: 0 }]))
  expect(sizes(NETWORK, all, of(10, all))).toEqual([5, 5])
  expect(sizes(NETWORK, all, of(5, all.slice(0, 5)))).toEqual([2, 2, 1, 5])
  expect(sizes(NETWORK, all, of(1, all.slice(0, 2)))).toEqual([1, 1, 8])
})
