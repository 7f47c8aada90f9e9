import { expect, test } from 'vitest'
import type { State } from '../../ledger/states'
import type { UptoChannel } from '../../x402/schemes/upto/svm/transfers'
import { type NextStep, nextStep, paceOf, waitAfter } from './keeper'
import type { DueUptoChannel } from './queries'

const EXPIRES_AT = 1_000n
const channel: UptoChannel = {
  id: 'channel',
  payer: 'payer',
  payTo: 'payee',
  asset: 'asset',
  tokenProgram: 'program',
  feePayer: 'fee payer',
  authorizer: 'authorizer',
  maximum: 100n,
  withdrawDelay: 900,
  openSlot: 1n,
  expiresAt: EXPIRES_AT,
}
const step = (state: State, amount = 7n, told = false) => ({
  id: 'settlement',
  key: '0x07' as const,
  state,
  amount,
  kind: 'payment',
  told,
})

const dueOf = (deposit: State, steps: Partial<DueUptoChannel> = {}): DueUptoChannel => ({
  channel,
  tenantId: '',
  depositId: '',
  age: 30,
  lease: '',
  deposit,
  claim: null,
  reclaim: null,
  ...steps,
})

test.each<[string, State, State | null, State | null, bigint, NextStep]>([
  ['whose deposit failed', 'EXPIRED', null, null, 0n, 'forget'],
  ['whose deposit was never signed', 'REJECTED', null, null, 0n, 'forget'],
  ['whose deposit may land', 'BROADCAST', null, null, 5_000n, 'nothing'],
  ['that may be charged', 'INCLUDED', null, null, 999n, 'nothing'],
  ['that expired a moment ago', 'FINAL', null, null, EXPIRES_AT + 119n, 'nothing'],
  ['that nobody charged', 'FINAL', null, null, EXPIRES_AT + 120n, 'close'],
  ['whose charge may land', 'FINAL', 'BROADCAST', null, EXPIRES_AT + 500n, 'nothing'],
  ['whose charge is gone', 'FINAL', 'UNPAID', null, 900n, 'charge'],
  ['whose charge is gone and over', 'FINAL', 'UNPAID', null, 995n, 'nothing'],
  ['whose charge is gone for long', 'FINAL', 'UNPAID', null, EXPIRES_AT + 120n, 'close'],
  ['whose charge was undone', 'FINAL', 'REVERSED', null, 900n, 'charge'],
  ['whose charge landed', 'FINAL', 'INCLUDED', null, 900n, 'nothing'],
  ['whose charge is final', 'FINAL', 'FINAL', null, 900n, 'reclaim'],
  ['whose rent is on its way', 'FINAL', 'FINAL', 'BROADCAST', 900n, 'nothing'],
  ['whose rent did not come', 'FINAL', 'FINAL', 'UNPAID', 900n, 'reclaim'],
  ['whose rent is back', 'FINAL', 'FINAL', 'FINAL', 900n, 'forget'],
  ['that its payer ended, and whose rent is on its way', 'FINAL', null, 'INCLUDED', 5_000n, 'nothing'],
  ['that its payer ended, and whose rent is back', 'FINAL', null, 'FINAL', 5_000n, 'forget'],
])('of a channel %s', (_, deposit, claim, reclaim, now, next) => {
  const due = dueOf(deposit, { claim: claim && step(claim), reclaim: reclaim && step(reclaim, 0n) })
  expect(nextStep(due, now)).toBe(next)
})

test('a charge that was told as failed is never charged again: its channel is closed when it expired', () => {
  const due = dueOf('FINAL', { claim: step('UNPAID', 7n, true) })
  expect([nextStep(due, 900n), nextStep(due, EXPIRES_AT + 120n)]).toEqual(['nothing', 'close'])
})

test('a cancelled channel is never charged: what could not land is closed when it expired', () => {
  const due = dueOf('FINAL', { claim: step('UNPAID', 0n) })
  expect([nextStep(due, 900n), nextStep(due, EXPIRES_AT + 120n)]).toEqual(['nothing', 'close'])
})

const [charged, sent] = [step('FINAL'), step('BROADCAST')]
test.each<[string, DueUptoChannel, bigint, number]>([
  ['whose deposit may land, soon', dueOf('BROADCAST'), 300n, 0],
  ['that may be charged, when its rent could come back', dueOf('INCLUDED'), 300n, 570],
  ['that may be charged for long, every two minutes from then on', dueOf('FINAL', { age: 5_000 }), 300n, 120],
  ['that expires before, when it is closed', dueOf('FINAL'), 900n, 220],
  ['whose charge may land, soon', dueOf('FINAL', { claim: sent }), 300n, 0],
  ['whose failed charge was told, as one without', dueOf('FINAL', { claim: step('UNPAID', 7n, true) }), 300n, 570],
  ['whose lost charge could not be made again, soon', dueOf('FINAL', { claim: step('UNPAID') }), 300n, 0],
  ['whose rent cannot come back yet, when it can', dueOf('FINAL', { claim: charged }), 300n, 570],
  ['whose rent is late, after as long again', dueOf('FINAL', { claim: charged, age: 700 }), 300n, 100],
  ['whose rent is stuck, in an hour', dueOf('FINAL', { claim: charged, age: 1e6 }), 300n, 3_600],
  ['whose rent is on its way, soon', dueOf('FINAL', { claim: charged, reclaim: sent }), 300n, 0],
  ['that is late to be closed, after as long again', dueOf('FINAL'), EXPIRES_AT + 220n, 100],
  ['that cannot be closed, in an hour', dueOf('FINAL'), EXPIRES_AT + 1_000_000n, 3_600],
])('a channel is looked at again: one %s', (_, due, now, seconds) => {
  expect(waitAfter(due, nextStep(due, now), false, now)).toBe(seconds)
  expect(waitAfter(due, nextStep(due, now), true, now)).toBe(0)
})

test('where the scheme is off, channels are looked for once a minute', () => {
  const svm = { maxComputeUnits: 1n, maxFeeLamports: 1n, smartWallets: new Set<string>(), uptoChannels: 1 }
  expect(paceOf({ svm: { ...svm, upto: true } }, 5_000)).toBe(5_000)
  expect(paceOf({ svm: { ...svm, upto: false } }, 5_000)).toBe(60_000)
})
