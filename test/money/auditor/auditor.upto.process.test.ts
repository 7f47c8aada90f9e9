import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../devnet/chain'
import type { SignedTransfer } from '../../../server/x402/schemes/evm-method'
import { upto } from '../../../server/x402/schemes/upto/method'
import type { SignedUpto } from '../../../server/x402/schemes/upto/transfers'
import { uptoTransfers } from '../../support/chain/signed-transfers'
import { newClaimed } from '../../support/database/ledger'
import { createUptoForge, MAXIMUM } from '../../support/permit2/upto'
import { NO_OFFENCE } from '../audit'
import { type Audited, startAudited } from '../audited'
import type { Answered } from './description'

const CHARGE = 700n

let chain: Chain
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
})
afterAll(() => chain.stop())

// Each test starts with one correct charge and adds one violation.
let audited: Audited
let answered: Answered[]
beforeEach(async () => {
  audited = await startAudited(chain)
  const [charge] = await newCharges(CHARGE)
  if (!charge) throw new Error('no charge')
  answered = await audited.settled([charge], await send(charge))
})
afterEach(() => audited.close())

const newCharges = (charge: bigint) =>
  uptoTransfers(createUptoForge(chain), 1, { facilitator: privateKeyToAccount(audited.signer).address, charge })

const send = (transfer: SignedUpto): Promise<Hex> =>
  chain.client.sendTransaction({
    account: privateKeyToAccount(audited.signer),
    chain: chain.client.chain,
    ...upto.call(transfer),
  })

/** Records the claim of a charge of nothing as a success. */
async function recordNothing(transfer: SignedTransfer): Promise<void> {
  const { db } = audited.database
  const { id } = await newClaimed(db, audited.claimOf(transfer))
  await db.settlement.update({ where: { id }, data: { state: 'UNCHARGED' } })
  await audited.records.answered(audited.answerFor(transfer, ''))
}

describe('the auditor of charges by upto', () => {
  test('finds no violation in a correct run, also with a charge of nothing', async () => {
    for (const one of await newCharges(0n)) await recordNothing(one)
    expect(await audited.audit()).toEqual(NO_OFFENCE)
  })

  test('counts a charge of more than the ledger says that the payer signed', async () => {
    await audited.database.db.settlement.updateMany({ data: { maximum: String(MAXIMUM + 1n) } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, overcharges: 1 })
  })

  test('counts a charge of another amount than was claimed', async () => {
    await audited.database.db.settlement.updateMany({ data: { amount: String(CHARGE - 1n) } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, overcharges: 1 })
  })

  test('counts a charge of nothing whose money moved', async () => {
    const [charge] = await newCharges(5n)
    if (!charge) throw new Error('no charge')
    await send(charge)
    await audited.database.db.lane.updateMany({ data: { nextNonce: 2n } })
    await recordNothing({ ...charge, authorization: { ...charge.authorization, value: 0n } })
    expect(await audited.audit()).toMatchObject({ success_without_transfer: 1, overcharges: 1 })
  })

  test('counts a success answer with another amount than moved', async () => {
    const [answer] = answered
    if (!answer) throw new Error('no answer')
    await audited.records.answered({ ...answer, value: String(CHARGE + 1n), replayed: true })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, success_without_transfer: 1 })
  })
})
