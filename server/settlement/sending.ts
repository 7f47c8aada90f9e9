import type { EvmChain } from '../chains/evm/chain'
import type { Log } from '../log'
import type { NewAttempt, OpenSlot } from '../store/slots'
import { createSecondLook, type SecondLook } from './chain-count'
import type { Failpoint } from './failpoints'
import { asHash } from './tracked'
import type { Watcher } from './watcher'

/** How a send ended: a node has the bytes, they are mined, another transaction has their nonce, or the lane gave up waiting. */
export type Sent = 'taken' | 'mined' | 'nonce taken' | 'given up'

export type Sending = {
  chain: EvmChain
  watcher: Watcher
  /** Whether the lane still may send. */
  active: () => boolean
  /** Told after every refusal how long the bytes have been waiting, in milliseconds. */
  onRefusal: (waitedMs: number) => void
  failpoint: Failpoint
  log: Log
}

const PAUSE_FIRST_MS = 100
const PAUSE_MAX_MS = 2_000
/** "Nonce too low" this often, with no receipt of ours, means that someone else uses the key. */
const NONCE_CONFLICTS_MAX = 8

/** Sends the same bytes until a node takes them: what a node says of a refused send is not believed, only looked into. */
export async function sendUntilTaken(sending: Sending, slot: OpenSlot, attempt: NewAttempt): Promise<Sent> {
  const { chain, watcher, log } = sending
  const since = performance.now()
  const second = createSecondLook(chain, asHash(slot.signer))
  let conflicts = 0
  for (let pause = PAUSE_FIRST_MS; sending.active(); pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
    const { answer, detail } = await chain.send(asHash(attempt.raw))
    sending.failpoint('sent')
    if (answer === 'accepted' || answer === 'known') return 'taken'
    // Mined meanwhile: the node only told it in its own words.
    if (!watcher.isOpen(slot.slotId)) return 'mined'
    if (/nonce too low/i.test(detail) && ++conflicts >= NONCE_CONFLICTS_MAX) {
      if ((await isTaken(chain, slot, second)) && watcher.isOpen(slot.slotId)) return 'nonce taken'
    }
    sending.onRefusal(performance.now() - since)
    log.warn({ network: chain.network, hash: attempt.hash, answer, detail }, 'send not accepted; the same bytes go out again')
    watcher.kick()
    await pauseWhile(() => watcher.isOpen(slot.slotId), pause)
  }
  return 'given up'
}

/** Whether a transaction that is not ours has the nonce. A node that cannot show the receipts of ours proves nothing. */
async function isTaken(chain: EvmChain, { signer, nonce, attempts }: OpenSlot, second: SecondLook): Promise<boolean> {
  try {
    const count = await chain.transactionCount(asHash(signer))
    const receipts = await chain.receipts(attempts.map(({ hash }) => asHash(hash)))
    if (count <= nonce || receipts.some((receipt) => receipt !== null)) return false
    return await second.agrees(({ mined }) => mined > nonce)
  } catch {
    // It does not answer: the same bytes go out again, and it is asked once more.
    return false
  }
}

const LOOK_MS = 50

/** Waits so long, or until the condition ends. */
async function pauseWhile(holds: () => boolean, pauseMs: number): Promise<void> {
  for (let left = pauseMs; left > 0 && holds(); left -= LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, LOOK_MS)))
}
