import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'
import { feesAt, highest } from '../../chains/evm/gas'
import type { Signer } from '../../chains/evm/signer'
import type { SignedTransaction } from '../../chains/evm/transactions'
import type { Db } from '../../db/database'
import type { Lease } from '../statements/lanes'
import { commitSlot } from '../statements/slots'
import { type LeaseKeeper, reserveAt } from './lease'
import { baseFeeFor } from './pricing'
import type { Queue, Queued } from './queue'
import type { Watcher } from './watcher'

export type Signing = { chain: EvmChain; signer: Signer; watcher: Watcher; lease: LeaseKeeper; log: Log }

/** Ether for a payer's approval, in wei, and when its claim ends: monotonic milliseconds. */
export type Funding = { settlementId: string; to: `0x${string}`; value: bigint; until: number }

type Batch = { members: Queued[]; signed: SignedTransaction }

/** The first of some claims in one transaction; or why none can be signed now. */
export type Signed = Batch | 'too dear' | 'too poor'

/**
 * Signs as many of the first claims as the balance covers, at what the row lets us pay: other bytes would hold up the lane. `guarded` caps
 * the gas of each in a batch of any size.
 */
export async function signCovered(signing: Signing, nonce: bigint, items: Queued[], guarded: boolean): Promise<Signed> {
  const { chain, signer, watcher } = signing
  // They may have queued for a while: a fee for the highest known base fee still gets mined.
  const judged = highest(items.map(({ baseFee }) => baseFee))
  const baseFee = await baseFeeFor(chain, watcher.head(), judged)
  if (baseFee === null) return 'too dear'
  for (let members = items; members.length > 0; members = members.slice(0, members.length >> 1)) {
    const transfers = members.map(({ transfer }) => transfer)
    const signed = chain.sign(signer, nonce, transfers, feesAt(chain.network, baseFee), guarded)
    if (await covers(signing, chain.mostOf(signed))) return { members, signed }
  }
  return 'too poor'
}

/** Signs ether for a payer's approval, with its cost in wei; null while the signer cannot pay for it beside its reserve. */
export async function signFunding(
  signing: Signing,
  nonce: bigint,
  { settlementId, to, value }: Funding,
): Promise<{ signed: SignedTransaction; cost: bigint } | null> {
  const { chain, signer, watcher, log } = signing
  const baseFee = await baseFeeFor(chain, watcher.head() ?? (await chain.head()), 0n)
  const signed = baseFee !== null && chain.signFunding(signer, nonce, to, value, feesAt(chain.network, baseFee))
  if (signed && (await covers(signing, chain.mostOf(signed) + reserveAt(chain, baseFee))))
    return { signed, cost: value + signed.gas * signed.maxFeePerGas }
  log.warn({ network: chain.network, signer: signer.address, settlementId }, 'cannot pay for an approval now')
  return null
}

/** Whether the balance covers this much. While no node says so, it does not. */
function covers({ chain, lease, log }: Signing, cost: bigint): Promise<boolean> {
  return lease.covers(cost).catch((error: unknown) => {
    log.warn({ err: error, network: chain.network }, 'the balance of a lane is not known now')
    return false
  })
}

type Committing = { db: Db; lease: LeaseKeeper; queue: Queue; recheckMs: number; log: Log }

/** Commits a transaction before it is sent. Null when nothing was written; what can still be signed is queued again. */
export async function writeAhead(
  { db, lease, queue, recheckMs, log }: Committing,
  { held, nonce, members, signed }: Batch & { held: Lease; nonce: bigint },
): Promise<string | null> {
  const ids = members.map(({ settlementId }) => settlementId)
  const commit = () => commitSlot(db, held, nonce, ids, signed, recheckMs)
  try {
    let committed = await commit()
    // Our lease may have just expired: renew it once and retry.
    if ('lost' in committed && committed.lost === 'lane' && (await lease.holdsStill(held, nonce))) committed = await commit()
    if ('slotId' in committed) return committed.slotId
    // Some claims were freed meanwhile: the others are signed again without them.
    const left = new Set(committed.lost === 'claims' ? committed.left : ids)
    queue.putBack(members.filter(({ settlementId }) => left.has(settlementId)))
  } catch (error) {
    // It may have committed: nothing more is signed until the lane has read its row again.
    log.error({ err: error, settlements: ids }, 'the write-ahead failed; the lane reads its row again')
    // Safe to retry: a committed settlement is no longer a claim.
    queue.putBack(members)
    lease.restart()
  }
  return null
}
