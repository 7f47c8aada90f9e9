import { expect, test } from 'vitest'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { writeTransfer } from '../../x402/schemes/evm-methods'
import { hasInFlight, type Tracked, tracking, transfersInFlight, unminedOf } from './tracked'

const address = (at: number): `0x${string}` => `0x${String(at).padStart(40, '0')}`
const [ANN, BOB, CAT] = [address(1), address(2), address(3)]
const asset = address(9)

function transferOf(from: `0x${string}`): SignedTransfer {
  const nonce = `0x${'0'.repeat(64)}` as const
  const authorization = { from, to: asset, value: 1n, validAfter: 0n, validBefore: 1n, nonce }
  return { method: 'eip3009', asset, authorization, signature: `0x${'11'.repeat(65)}`, proof: 'key' }
}

/** A slot of a lane under watch, with a payment of each of these payers. */
function slot(laneId: string, nonce: bigint, ...payers: `0x${string}`[]): Tracked {
  const member = { state: 'BROADCAST', tier: 'standard', asset, expiresAt: 1n, claimedAt: 0n } as const
  const members = payers.map((from) => ({ ...member, settlementId: from, transfer: writeTransfer(transferOf(from)) }))
  const place = { slotId: `${laneId} ${nonce}`, laneId, network: 'eip155:84532', signer: asset, nonce }
  return tracking({ ...place, attempts: [], members }, { signedAt: 0, sentAt: 0, leaving: false })
}

const payersOf = (transfers: SignedTransfer[]) => transfers.map(({ authorization }) => authorization.from)

test('a payer is in flight on the lane of its unmined slot, and on no other', () => {
  const all = [slot('one', 2n, ANN, BOB), slot('two', 1n, CAT)]
  expect([ANN, BOB, CAT].map((payer) => hasInFlight(all, 'one', payer))).toEqual([true, true, false])
  expect([ANN, BOB, CAT].map((payer) => hasInFlight(all, 'two', payer))).toEqual([false, false, true])
})

test('a mined slot and a decided payment are not in flight', () => {
  const [mined, open] = [slot('one', 1n, ANN), slot('one', 2n, BOB, CAT)]
  Object.assign(mined, { mined: true })
  const all = [mined, { ...open, members: open.members.map((one, at) => ({ ...one, decided: at === 0 })) }]
  expect([ANN, BOB, CAT].map((payer) => hasInFlight(all, 'one', payer))).toEqual([false, false, true])
  expect(payersOf(transfersInFlight(all, new Set([ANN, BOB, CAT])))).toEqual([CAT])
})

test('slots and transfers come in the order of nonces', () => {
  const all = [slot('one', 3n, ANN), slot('two', 2n, BOB), slot('one', 1n, CAT)]
  expect(unminedOf(all, 'one').map(({ slot }) => slot.nonce)).toEqual([1n, 3n])
  expect(payersOf(transfersInFlight(all, new Set([ANN, BOB, CAT])))).toEqual([CAT, BOB, ANN])
})

test('a member that only a newer build can read is left to it, and hides none of the others', () => {
  const known = slot('one', 1n, ANN)
  const [member] = known.slot.members
  if (!member) throw new Error('a slot with a payer has a member')
  const newer = { ...member, settlementId: 'newer', transfer: { method: 'of a newer build' } }
  const mixed = tracking({ ...known.slot, members: [newer, member] }, { signedAt: 0, sentAt: 0, leaving: false })
  expect(mixed.members.map((one) => one.member.settlementId)).toEqual([ANN])
  expect([known.unread, mixed.unread]).toEqual([false, true])
})
