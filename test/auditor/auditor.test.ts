import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { type Chain, startChain } from '../../devnet/chain'
import { MONTHLY } from '../../server/ledger/statements/claim-statement'
import { startNonce, takeLease } from '../../server/ledger/statements/lanes'
import { commitSlot, markSent } from '../../server/ledger/statements/slots'
import { writeTransfer } from '../../server/x402/schemes/evm'
import { NO_OFFENCE, newRecords, type Records } from '../audit'
import { type FreshDatabase, freshDatabase } from '../database'
import { type SignedPayment, signed } from '../harness'
import { importsOf } from '../imports'
import { includeOne, newAttempt, newClaimed, newLanding } from '../ledger'
import { sourcesBelow } from '../source-files'
import type { Answered } from './description'

const NETWORK = 'eip155:84532'
const LIMIT = 1_000
const subject = 'ip:10.0.0.1'

let chain: Chain
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
})
afterAll(() => chain.stop())

// Each test starts with one correct payment and adds one violation.
let database: FreshDatabase
let records: Records
let signer: Hex
let payment: SignedPayment
let settlementId: string
let answered: Answered
beforeEach(async () => {
  ;[database, records] = await Promise.all([freshDatabase(), newRecords()])
  signer = generatePrivateKey()
  await chain.fund(privateKeyToAccount(signer).address, 10n ** 19n)
  payment = await newPayment()
  const hash = await transfer(payment)
  const { id, slotId } = await committed(hash)
  settlementId = id
  await includeOne(database.db, { settlementId, slotId }, newLanding(hash))
  answered = answerFor(payment, hash)
  await records.answered(answered)
  await records.printed('{"level":"info","msg":"landed"}\n')
})
afterEach(() => Promise.all([database.close(), records.remove()]))

async function newPayment(): Promise<SignedPayment> {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 1_000n)
  return signed(payer)
}

async function transfer({ authorization: { from, to, value, validAfter, validBefore, nonce }, signature }: SignedPayment) {
  return chain.client.writeContract({
    account: privateKeyToAccount(signer),
    chain: chain.client.chain,
    address: chain.usdc,
    abi: usdcAbi,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, signature],
  })
}

async function committed(hash: string): Promise<{ id: string; slotId: string }> {
  const { db } = database
  const lane = { network: NETWORK, address: privateKeyToAccount(signer).address.toLowerCase(), class: 'sandbox' } as const
  const lease = await takeLease(db, lane, { holder: 'test', leaseMs: 60_000, stealing: false, usable: true })
  if (!lease) throw new Error('no lease')
  await startNonce(db, lease, 0n)
  const { id } = await newClaimed(db, { ...claimOf(payment), period: MONTHLY, unitsMax: LIMIT })
  const slot = await commitSlot(db, { ...lease, nextNonce: 0n }, 0n, [id], { ...newAttempt(), hash }, 1_000)
  if (!('slotId' in slot)) throw new Error('not committed')
  await markSent(db, slot.slotId, hash)
  return { id, slotId: slot.slotId }
}

function claimOf({ authorization, signature }: SignedPayment) {
  const { from, to, value } = authorization
  const stored = writeTransfer({ method: 'eip3009', asset: '0x', authorization, signature, proof: 'key' })
  return { subject, payer: from.toLowerCase(), payTo: to.toLowerCase(), amount: value, transfer: stored }
}

function answerFor({ authorization: { from, to, value, nonce } }: SignedPayment, transaction: string): Answered {
  const asked = { subject, tier: 'sandbox' as const, network: NETWORK, payer: from, nonce, payTo: to, value: String(value) }
  const body = { success: true, transaction }
  return { at: new Date(0).toISOString(), ...asked, settlementId: null, replayed: false, status: 200, body }
}

async function audit(bounds = { settlementMs: 60_000, slotMs: 60_000 }) {
  const { counts } = await records.audit({
    databaseUrl: database.url,
    chains: [{ network: NETWORK, rpcUrl: chain.url, usdc: chain.usdc }],
    secrets: [signer],
    quotas: { ip: LIMIT },
    bounds,
  })
  return counts
}

describe('the auditor', () => {
  test('finds no violation in a correct run', async () => {
    expect(await audit()).toEqual(NO_OFFENCE)
  })

  test('counts a payment with two success answers', async () => {
    await records.answered(answered)
    expect(await audit()).toEqual({ ...NO_OFFENCE, double_success: 1 })
  })

  test('does not count the replay of a stored answer', async () => {
    await records.answered({ ...answered, replayed: true })
    expect(await audit()).toEqual(NO_OFFENCE)
  })

  test('counts a success answer without a transfer', async () => {
    await records.answered(answerFor(await newPayment(), String(answered.body.transaction)))
    expect(await audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a history success with a wrong amount', async () => {
    await database.db.history.updateMany({ data: { amount: 2_000 } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })

  test('counts a transfer without a history row', async () => {
    await database.db.history.deleteMany()
    expect(await audit()).toEqual({ ...NO_OFFENCE, transfer_without_row: 1 })
  })

  test('counts an orphaned claim', async () => {
    await newClaimed(database.db, { ...claimOf(await newPayment()), subject: 'ip:10.0.0.2' })
    expect(await audit({ settlementMs: 0, slotMs: 60_000 })).toEqual({ ...NO_OFFENCE, orphan_claims: 1 })
  })

  test('counts a nonce gap', async () => {
    await database.db.lane.updateMany({ data: { nextNonce: 2n } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
  })

  test('counts an unknown transaction', async () => {
    const account = privateKeyToAccount(signer)
    await chain.client.sendTransaction({ account, chain: chain.client.chain, to: account.address, value: 0n })
    expect(await audit()).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
  })

  test('counts a nonce that is not used in time', async () => {
    await database.db.slot.updateMany({ data: { state: 'open' } })
    expect(await audit({ settlementMs: 60_000, slotMs: 0 })).toEqual({ ...NO_OFFENCE, slot_gaps: 1 })
  })

  test('counts an exceeded quota', async () => {
    await database.db.usage.updateMany({ data: { used: LIMIT + 1 } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, quota_overgrant: 1 })
  })

  test('counts a payment accepted without a unit', async () => {
    await database.db.usage.updateMany({ data: { used: 0 } })
    expect(await audit()).toEqual({ ...NO_OFFENCE, quota_overgrant: 1 })
  })

  test('counts a log line with a secret, without printing the secret', async () => {
    await records.printed(`{"msg":"the key is ${signer.slice(2).toUpperCase()}"}\n`)
    expect(await audit()).toEqual({ ...NO_OFFENCE, secrets_in_logs: 1 })
  })
})

test('the auditor shares no code with the service', () => {
  const sources = sourcesBelow('test/auditor').filter(({ file }) => !file.endsWith('.test.ts'))
  const foreign = sources.flatMap((source) => importsOf(source).map(({ from }) => from)).filter((from) => from.startsWith('..'))
  expect([sources.length > 0, foreign]).toEqual([true, []])
})
