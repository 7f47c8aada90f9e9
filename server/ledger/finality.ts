import type { Log } from '../base/log'
import { startLoop } from '../base/loop'
import type { EvmChain } from '../chains/evm/chain'
import type { Db } from '../db/database'
import {
  awaitsChecks,
  enqueueFinalized,
  type FinalizedRow,
  findAnswerable,
  findFinalized,
  findUnchecked,
  readFinalized,
  recordChecked,
  recordDoubted,
  recordFinalized,
  takeFinalityTurn,
} from './statements/finality'

/** Compares the blocks of final settlements with the chain that their network finalized, while there are some to compare. */
export type FinalityWatch = {
  /** A settlement is final: its network has yet to finalize its block. */
  expect(network: string): void
  /** A notice says so, of any instance: checks a pause later, because that instance may end before the network finalizes the block. */
  heard(network: string): void
  /** Notices may have been lost: reads what the database knows. */
  checkAgain(): void
  stop(): Promise<void>
}

type FinalityChain = Pick<EvmChain, 'finalizedBlock' | 'blockHashes'>

type FinalityOptions = {
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
/** How many blocks one round compares: one header each. */
const ROUND = 5 * BATCH
const RETRY_MS = 2_000
const PAUSES_MAX = 8

/** Starts following. A network gets no calls while nothing waits for its finality, and otherwise one in each pause from all instances. */
export function startFinality(options: FinalityOptions): FinalityWatch {
  const { db, log, pauseMs } = options
  const loops = new Map<string, Follower>()

  function follow(network: string, chain: FinalityChain | null): Follower {
    let idle = false
    let later: NodeJS.Timeout | undefined
    let [last, pause] = [-1n, pauseMs]

    async function check(): Promise<number | null> {
      idle = false
      if (chain && (await awaitsChecks(db, network))) {
        const finalized = await compareFinalized(network, chain, pause)
        // A network that stands still is asked ever less often.
        pause = finalized !== null && finalized === last ? Math.min(2 * pause, PAUSES_MAX * pauseMs) : pauseMs
        last = finalized ?? last
      }
      const { due, waiting } = await findFinalized(db, network, BATCH)
      await enqueueFinalized(db, due)
      await wakeWaiting()
      if (due.length === BATCH) return 0
      idle = !waiting && !(chain && (await awaitsChecks(db, network)))
      return idle ? null : pause
    }

    const loop = startLoop(
      check,
      (error) => log.warn({ err: error, network }, 'the finality of blocks cannot be read now'),
      RETRY_MS,
    )

    function kickLater(): void {
      later ??= setTimeout(() => {
        later = undefined
        loop.kick()
      }, pauseMs)
    }

    return {
      expect() {
        if (idle) loop.kick()
      },
      heard() {
        if (idle || !chain) kickLater()
      },
      checkAgain: kickLater,
      stop() {
        clearTimeout(later)
        return loop.stop()
      },
    }
  }

  /** The newest finalized block of a network. The instance whose turn it is asks for it, and compares what is below it. */
  async function compareFinalized(network: string, chain: FinalityChain, pause: number): Promise<bigint | null> {
    if (await takeFinalityTurn(db, network, pause)) {
      await recordFinalized(db, network, await chain.finalizedBlock())
      for (let compared = 0; compared < ROUND; compared += BATCH) if (!(await compareBatch(network, chain))) break
    }
    return readFinalized(db, network)
  }

  /** Compares some settlements with the chain, one header per block. True when there may be more. */
  async function compareBatch(network: string, chain: FinalityChain): Promise<boolean> {
    const rows = await findUnchecked(db, network, BATCH)
    const numbers = [...new Set(rows.map(({ block }) => block))]
    const hashes = new Map((await chain.blockHashes(numbers)).map((hash, at) => [numbers[at], hash]))
    const isThere = ({ block, blockHash }: FinalizedRow) => hashes.get(block) === blockHash
    await recordChecked(db, rows.filter(isThere))
    // A node that does not have a block proves nothing: it is asked again.
    const settlements = await recordDoubted(
      db,
      rows.filter((row) => !isThere(row) && hashes.get(row.block)),
    )
    if (settlements.length > 0)
      log.error(
        { settlements, network },
        'the finalized chain does not have the blocks of final settlements; they are watched again',
      )
    return rows.length === BATCH && rows.every(({ block }) => hashes.get(block))
  }

  async function wakeWaiting(): Promise<void> {
    const ids = options.waitedFor()
    if (ids.length > 0) for (const id of await findAnswerable(db, ids)) options.wakeHere(id)
  }

  for (const [network, chain] of options.chains) loops.set(network, follow(network, chain))
  for (const network of options.clusters) loops.set(network, follow(network, null))
  return {
    expect: (network) => loops.get(network)?.expect(),
    heard: (network) => loops.get(network)?.heard(),
    checkAgain: () => {
      for (const loop of loops.values()) loop.checkAgain()
    },
    async stop() {
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
    },
  }
}

/** What follows the finality of one network. */
type Follower = { expect(): void; heard(): void } & Pick<FinalityWatch, 'checkAgain' | 'stop'>
