import type { EvmChain } from '../chains/evm/chain'
import type { Db } from '../db/database'
import type { Log } from '../log'
import { startLoop } from './loop'
import {
  enqueueFinalized,
  type FinalizedRow,
  findAnswerable,
  findFinalized,
  giveUpFinalized,
  readFinalized,
  recordFinalized,
  takeFinalityTurn,
} from './statements/finality'

/** Follows which blocks the networks finalize, while there are settlements above them. */
export type FinalityWatch = {
  /** A settlement is final in this block: its network has yet to finalize it. */
  expect(network: string, block: bigint): void
  /** A notice says so, of any instance: checks a pause later, because that instance may end before the network finalizes the block. */
  heard(network: string, block: bigint): void
  /** Notices may have been lost: reads what the database knows. */
  checkAgain(): void
  stop(): Promise<void>
}

type FinalityChain = Pick<EvmChain, 'finalizedBlock' | 'blockHashes'>

export type FinalityOptions = {
  db: Db
  chains: ReadonlyMap<string, FinalityChain>
  /** Solana clusters: what is final there is finalized. */
  clusters: readonly string[]
  /** How often a network is asked, milliseconds. */
  pauseMs: number
  /** The settlements with a waiting request here, and how to wake it. */
  waitedFor: () => string[]
  wakeHere: (settlementId: string) => void
  log: Log
}

const BATCH = 200
const RETRY_MS = 2_000
const PAUSES_MAX = 8

/** Starts following. A network gets no calls while nothing waits for its finality, and otherwise one in each pause from all instances. */
export function startFinality(options: FinalityOptions): FinalityWatch {
  const { db, log, pauseMs } = options
  const loops = new Map<string, Follower>()

  function follow(network: string, chain: FinalityChain | null): Follower {
    /** The newest block that the network has yet to finalize; null: none. */
    let expected: bigint | null = null
    let idle = false
    let begun = false
    let later: NodeJS.Timeout | undefined
    let [last, pause] = [-1n, pauseMs]

    async function check(): Promise<number | null> {
      idle = false
      if (!begun) {
        begun = true
        await expectKnown().catch((error: unknown) => {
          begun = false
          throw error
        })
      }
      const aim = expected
      const finalized = chain && aim !== null ? await newestFinalized(chain) : null
      // A network that stands still is asked ever less often.
      pause = finalized !== null && finalized === last ? Math.min(2 * pause, PAUSES_MAX * pauseMs) : pauseMs
      last = finalized ?? last
      if (finalized !== null && aim !== null && finalized >= aim && expected === aim) expected = null
      const { due, waiting } = await findFinalized(db, network, BATCH)
      const announced = due.length > 0 ? await announce(network, chain, due) : 0
      await wakeWaiting()
      if (due.length === BATCH && announced > 0) return 0
      idle = expected === null && !waiting && due.length === announced
      return idle ? null : pause
    }

    const loop = startLoop(
      check,
      (error) => log.warn({ err: error, network }, 'the finality of blocks cannot be read now'),
      RETRY_MS,
    )

    async function newestFinalized(chain: FinalityChain): Promise<bigint | null> {
      if (await takeFinalityTurn(db, network, pause)) await recordFinalized(db, network, await chain.finalizedBlock())
      return (await readFinalized(db, network)).finalized
    }

    /** The newest block that was seen and is not known as finalized: an earlier process may have ended before that. */
    async function expectKnown(): Promise<void> {
      const { seen, finalized } = await readFinalized(db, network)
      if (seen !== null && (finalized === null || finalized < seen)) raise(seen)
    }

    // What is final on Solana is finalized: there is nothing to wait for.
    function raise(block: bigint): void {
      if (chain && (expected === null || block > expected)) expected = block
    }

    function kickLater(): void {
      later ??= setTimeout(() => {
        later = undefined
        loop.kick()
      }, pauseMs)
    }

    return {
      expect(block) {
        raise(block)
        if (idle) loop.kick()
      },
      heard(block) {
        raise(block)
        if (idle || !chain) kickLater()
      },
      checkAgain() {
        begun = false
        kickLater()
      },
      stop() {
        clearTimeout(later)
        return loop.stop()
      },
    }
  }

  /** Enqueues the events of these settlements, if the finalized chain has their blocks. Returns how many it decided. */
  async function announce(network: string, chain: FinalityChain | null, due: FinalizedRow[]): Promise<number> {
    const numbers = [...new Set(due.map(({ block }) => block))]
    const hashes = chain && new Map((await chain.blockHashes(numbers)).map((hash, at) => [numbers[at], hash]))
    const isThere = ({ block, blockHash }: FinalizedRow) => !hashes || hashes.get(block) === blockHash
    await enqueueFinalized(db, idsOf(due.filter(isThere)))
    // A node that does not have a block proves nothing: it is asked again.
    const lost = idsOf(due.filter((row) => !isThere(row) && hashes?.get(row.block)))
    const decided = due.filter(isThere).length + lost.length
    if (lost.length === 0) return decided
    log.error({ settlements: lost, network }, 'the finalized chain does not have the blocks of final settlements')
    await giveUpFinalized(db, lost)
    return decided
  }

  async function wakeWaiting(): Promise<void> {
    const ids = options.waitedFor()
    if (ids.length > 0) for (const id of await findAnswerable(db, ids)) options.wakeHere(id)
  }

  for (const [network, chain] of options.chains) loops.set(network, follow(network, chain))
  for (const network of options.clusters) loops.set(network, follow(network, null))
  return {
    expect: (network, block) => loops.get(network)?.expect(block),
    heard: (network, block) => loops.get(network)?.heard(block),
    checkAgain: () => {
      for (const loop of loops.values()) loop.checkAgain()
    },
    async stop() {
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
    },
  }
}

/** What follows the finality of one network. */
type Follower = { expect(block: bigint): void; heard(block: bigint): void } & Pick<FinalityWatch, 'checkAgain' | 'stop'>

const idsOf = (rows: readonly FinalizedRow[]) => rows.map(({ settlementId }) => settlementId)
