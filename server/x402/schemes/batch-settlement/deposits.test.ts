import { type Hex, pad, toHex } from 'viem'
import { expect, test } from 'vitest'
import { AUTHORIZATION_USED, TRANSFER } from '../evm-logs'
import type { EventLog } from '../evm-method'
import { proofsIn } from '../evm-methods'
import { BATCH_SETTLEMENT_CONTRACT, ERC3009_COLLECTOR } from './contracts'
import { batchEip3009, batchPermit2 } from './deposits'

const token = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const payer = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'
const DEPOSITED = '0x6c2a09353b5e75e70d0b9778b80a413809bb235d46c211811c474b3346791d89'
const channelId = toHex(1, { size: 32 })
const nonce = toHex(2, { size: 32 })

const word = (value: bigint): Hex => toHex(value, { size: 32 })
const used = (of: Hex = nonce): EventLog => ({ address: token, topics: [AUTHORIZATION_USED, pad(payer), of], data: '0x' })
const moved = (from: Hex, to: Hex, value: bigint): EventLog => ({
  address: token,
  topics: [TRANSFER, pad(from), pad(to)],
  data: word(value),
  logIndex: 7,
})
const deposited = (amount: bigint, id: Hex = channelId): EventLog => ({
  address: BATCH_SETTLEMENT_CONTRACT,
  topics: [DEPOSITED, id, pad(payer)],
  data: `${word(amount)}${word(amount).slice(2)}`,
})

const byToken = [
  used(),
  moved(payer, ERC3009_COLLECTOR, 10n),
  moved(ERC3009_COLLECTOR, BATCH_SETTLEMENT_CONTRACT, 10n),
  deposited(10n),
]
const byPermit2 = [moved(payer, BATCH_SETTLEMENT_CONTRACT, 10n), deposited(10n)]

test('a deposit is proven by the transfers to the contract and its event, by either method', () => {
  expect(batchEip3009.proofsIn(byToken)).toEqual([[`deposit,${channelId},10,${token},${payer},${nonce}`, 7]])
  expect(batchPermit2.proofsIn(byPermit2)).toEqual([[`deposit,${channelId},10,${token},${payer},permit2`, 7]])
  expect([batchEip3009.proofsIn(byPermit2), batchPermit2.proofsIn(byToken)]).toEqual([[], []])
})

test.each([
  ['without the event', byToken.slice(0, 3)],
  ['whose event names another amount', [...byToken.slice(0, 3), deposited(11n)]],
  ['whose token logs no transfer', [used(), deposited(10n)]],
  ['whose tokens stay at the collector', [...byToken.slice(0, 2), deposited(10n)]],
  ['of another contract', [...byToken.slice(0, 3), { ...deposited(10n), address: token } as EventLog]],
])('a deposit %s is not proven', (_, logs) => {
  expect([...batchEip3009.proofsIn(logs), ...batchPermit2.proofsIn(logs)]).toEqual([])
})

test('two deposits of one transaction have their own transfers, and are no payments of another method', () => {
  const other = toHex(3, { size: 32 })
  const second = [
    used(other),
    moved(payer, ERC3009_COLLECTOR, 10n),
    moved(ERC3009_COLLECTOR, BATCH_SETTLEMENT_CONTRACT, 10n),
    deposited(10n),
  ]
  const names = [...proofsIn([...byToken, ...second]).keys()].filter((name) => name.startsWith('deposit'))
  expect(names).toEqual([nonce, other].map((of) => `deposit,${channelId},10,${token},${payer},${of}`))
})
