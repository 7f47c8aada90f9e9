import type { Failpoint } from '../../base/failpoints'
import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'
import { provesTransfer } from '../../chains/evm/receipts'
import type { Db } from '../../db/database'
import { recordPreconfirmed } from '../statements/landings'
import { bytesAsHex, minedOf, type Tracked } from './tracked'
import type { SlotMember } from './verdict'

type Preconfirming = {
  db: Db
  /** The chain through an endpoint that returns preconfirmed receipts. */
  flash: EvmChain
  wake: (settlementId: string) => void
  failpoint: Failpoint
  log: Log
}

/** Whether a request waits for a preconfirmation of this slot. */
export function awaitsPreconfirmation({ mined, members }: Tracked): boolean {
  return !mined && members.some(isAwaiting)
}

function isAwaiting({ member, decided }: SlotMember): boolean {
  return member.tier === 'flash' && !decided && (member.state === 'PREPARED' || member.state === 'BROADCAST')
}

/** Looks once for preconfirmed receipts. A transfer whose logs are in one becomes answerable, and stays watched until a block has it. */
export async function preconfirm({ db, flash, wake, failpoint, log }: Preconfirming, entries: readonly Tracked[]): Promise<void> {
  const hashes = entries.flatMap(({ slot }) => slot.attempts.map(({ hash }) => bytesAsHex(hash)))
  const receipts = await flash.preconfirmations(hashes)
  const byHash = new Map(hashes.map((hash, at) => [hash, receipts[at] ?? null]))
  for (const entry of entries) {
    const mined = minedOf(entry, byHash)
    const preconfirmed = entry.members.filter((one) => mined && isAwaiting(one) && provesTransfer(mined.receipt, one.transfer))
    if (!mined || preconfirmed.length === 0) continue
    const { hash } = mined.receipt
    const moved = await recordPreconfirmed(
      db,
      entry.slot.slotId,
      preconfirmed.map(({ member }) => member.settlementId),
      hash,
    )
    failpoint('preconfirmed')
    for (const { member } of preconfirmed) {
      member.state = 'PRECONFIRMED'
      wake(member.settlementId)
    }
    log.info({ settlements: moved, network: flash.network, hash }, 'preconfirmed')
  }
}
