import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../../devnet/chain'
import { type Claim, MONTHLY } from '../../server/ledger/statements/claim-statement'
import { startNonce, takeLease } from '../../server/ledger/statements/lanes'
import { commitSlot, markSent } from '../../server/ledger/statements/slots'
import type { SignedTransfer } from '../../server/x402/schemes/evm-method'
import { writeTransfer } from '../../server/x402/schemes/evm-methods'
import { type FreshDatabase, freshDatabase } from '../support/database/database'
import { includeOne, newAttempt, newClaimed, newLanding } from '../support/database/ledger'
import { type AuditReport, newRecords, type Records } from './audit'
import type { Answered, Description } from './auditor/description'

const NETWORK = 'eip155:84532'
const LIMIT = 1_000
const subject = 'ip:10.0.0.1'

/** An act on channels as the ledger has it. */
export type ActRow = Pick<Claim, 'kind' | 'amount'> & { channelId: string; rows?: { total: bigint; signed: bigint }[] }

/** A ledger and records for the auditor, with one signer whose transactions a test sends itself. */
export type Audited = {
  database: FreshDatabase
  records: Records
  /** The key of the lane. */
  signer: Hex
  /** The claim of a payment, as `newClaimed` takes it. */
  claimOf: (transfer: SignedTransfer) => ReturnType<typeof claimOf>
  /** A success answer for a payment. */
  answerFor: (transfer: SignedTransfer, hash: string) => Answered
  /** Records that this first transaction of the signer made these payments; resolves with their answers. */
  settled: (transfers: readonly SignedTransfer[], hash: string) => Promise<Answered[]>
  /** Records that this first transaction of the signer did this with channels; resolves with the settlement. */
  acted: (act: ActRow, hash: string) => Promise<string>
  audit: (bounds?: { settlementMs: number; slotMs: number }, charges?: Description['charges']) => Promise<AuditReport['counts']>
  close: () => Promise<unknown>
}

/** Starts an empty ledger on a new database, and an empty record. */
export async function startAudited(chain: Chain): Promise<Audited> {
  const [database, records] = await Promise.all([freshDatabase(), newRecords()])
  const { db } = database
  const signer = generatePrivateKey()
  await chain.fund(privateKeyToAccount(signer).address, 10n ** 19n)

  async function committed(claims: readonly Partial<Claim>[], hash: string): Promise<{ ids: string[]; slotId: string }> {
    const lane = { network: NETWORK, address: privateKeyToAccount(signer).address.toLowerCase(), class: 'sandbox' } as const
    const lease = await takeLease(db, lane, { holder: 'test', leaseMs: 60_000, stealing: false, usable: true })
    if (!lease) throw new Error('no lease')
    await startNonce(db, lease, 0n)
    const ids: string[] = []
    for (const claim of claims) ids.push((await newClaimed(db, { ...claim, period: MONTHLY, unitsMax: LIMIT })).id)
    const slot = await commitSlot(db, { ...lease, nextNonce: 0n }, 0n, ids, { ...newAttempt(), hash }, 1_000)
    if (!('slotId' in slot)) throw new Error('not committed')
    await markSent(db, slot.slotId, hash)
    return { ids, slotId: slot.slotId }
  }

  return {
    database,
    records,
    signer,
    claimOf,
    answerFor,
    async settled(transfers, hash) {
      const { ids, slotId } = await committed(transfers.map(claimOf), hash)
      for (const settlementId of ids) await includeOne(db, { settlementId, slotId }, newLanding(hash))
      const answers = transfers.map((transfer) => answerFor(transfer, hash))
      for (const answer of answers) await records.answered(answer)
      return answers
    },
    async acted({ channelId, rows = [], ...act }, hash) {
      const { ids, slotId } = await committed([{ subject, ...act, transfer: { method: `batch-${act.kind}`, channelId } }], hash)
      const [settlementId = ''] = ids
      for (const { total, signed } of rows)
        await db.channelClaim.create({
          data: { settlementId, network: NETWORK, channelId, total: String(total), signed: String(signed) },
        })
      await includeOne(db, { settlementId, slotId }, newLanding(hash))
      return settlementId
    },
    async audit(bounds = { settlementMs: 60_000, slotMs: 60_000 }, charges = []) {
      const { counts } = await records.audit({
        databaseUrl: database.url,
        chains: [{ network: NETWORK, rpcUrl: chain.url, usdc: chain.usdc }],
        secrets: [signer],
        quotas: { ip: LIMIT },
        charges,
        bounds,
      })
      return counts
    },
    close: () => Promise.all([database.close(), records.remove()]),
  }
}

function claimOf(signed: SignedTransfer) {
  const { asset, authorization } = signed
  const terms = { payer: authorization.from.toLowerCase(), payTo: authorization.to.toLowerCase(), amount: authorization.value }
  const signedMaximum = 'maximum' in authorization ? authorization.maximum : null
  return { subject, ...terms, maximum: signedMaximum, asset: asset.toLowerCase(), transfer: writeTransfer(signed) }
}

function answerFor({ asset, authorization }: SignedTransfer, transaction: string): Answered {
  const { from, to, value } = authorization
  const nonce = 'nonce' in authorization ? authorization.nonce : ''
  const terms = { payer: from, nonce: String(nonce), payTo: to, asset, value: String(value) }
  const asked = { subject, tier: 'sandbox' as const, network: NETWORK, ...terms }
  const body = { success: true, transaction }
  return { at: new Date(0).toISOString(), ...asked, settlementId: null, replayed: false, status: 200, body }
}
