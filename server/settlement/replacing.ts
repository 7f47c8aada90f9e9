import type { EvmChain } from '../chains/evm/chain'
import { raised } from '../chains/evm/fees'
import type { Signer } from '../chains/evm/signer'
import type { SignedTransaction } from '../chains/evm/transactions'
import type { Log } from '../log'
import type { Db } from '../store/database'
import type { Lease } from '../store/lanes'
import { commitReplacement, type NewAttempt } from '../store/slots'
import { asHash, type Tracked } from './tracked'
import { hasExpired } from './verdict'
import type { Watcher } from './watcher'

export type Replacing = {
  db: Db
  chain: EvmChain
  signer: Signer
  watcher: Watcher
  /** Only the holder of the lane's lease replaces; null: nobody here. */
  lease: Lease | null
  recheckMs: number
  log: Log
}

/** Bytes that were re-sent this often in vain are replaced by dearer ones. */
const RECHECKS_BEFORE = 3
const BUMPS_MAX = 5
/** After the bumps, a no-op of raised fees a few times more; then an operator has to look. */
const ATTEMPTS_MAX = 10
/** No transfer of ours is worth more, wei per gas. */
const FEE_MAX = 100n * 10n ** 9n

/**
 * One round over a lane's slots that no block takes: the same members at fees an eighth higher or more, or, when they cannot land any
 * more, a no-op that frees the nonce. Every replacement is committed before it is sent. Returns the milliseconds until the next round.
 */
export async function replaceStuck(replacing: Replacing): Promise<number> {
  const { watcher, lease, recheckMs } = replacing
  const stuck = lease
    ? watcher.unmined(lease.laneId).filter(({ signedAt }) => performance.now() - signedAt >= RECHECKS_BEFORE * recheckMs)
    : []
  for (const entry of stuck) if (lease) await replace(replacing, lease, entry)
  return recheckMs
}

async function replace({ db, chain, watcher, log, ...rest }: Replacing, lease: Lease, entry: Tracked): Promise<void> {
  const { slot } = entry
  // Mined, and only its receipt cannot be had: there is nothing to replace.
  if ((await chain.transactionCount(entry.from)) > slot.nonce) return
  const signed = replacementOf({ chain, watcher, ...rest }, entry)
  if (!signed || !(await commitReplacement(db, lease, slot.slotId, signed))) return
  watcher.replaced(slot.slotId, signed)
  const { answer, detail } = await chain.send(asHash(signed.raw))
  const line = { network: chain.network, nonce: String(slot.nonce), hash: signed.hash, kind: signed.kind, answer, detail }
  log.warn(line, 'a stuck transaction was replaced')
}

function replacementOf(
  { chain, signer, watcher }: Pick<Replacing, 'chain' | 'signer' | 'watcher'>,
  entry: Tracked,
): SignedTransaction | null {
  const { attempts, nonce } = entry.slot
  const newest: NewAttempt | undefined = attempts.at(-1)
  const head = watcher.head()
  if (!newest || !head || attempts.length >= ATTEMPTS_MAX) return null
  const fees = raised(newest, head.baseFee)
  if (fees.maxFeePerGas > FEE_MAX) return null
  const hopeless = entry.passengers.every(({ member, decided }) => decided || hasExpired(member, head))
  if (hopeless || attempts.length > BUMPS_MAX) return chain.signNoop(signer, nonce, fees)
  return chain.sign(
    signer,
    nonce,
    entry.passengers.map(({ transfer }) => transfer),
    fees,
  )
}
