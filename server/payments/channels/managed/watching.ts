import type { Hex } from 'viem'
import type { Log } from '../../../base/log'
import type { EvmChain } from '../../../chains/evm/chain'
import type { Head } from '../../../chains/evm/rpc'
import type { Db } from '../../../db/database'
import { findToRead, moveWatch, type SeenChange, type WatchedBlock, writeStates } from './watch-queries'

/** What the reading of a network's channels needs. */
type Watching = { db: Db; chain: EvmChain; holder: string; log: Log }

/** The most blocks whose events are read; behind a longer gap the state of every open channel is. Providers allow so many. */
const BLOCKS_MAX = 500n
/** A reorganisation is looked for in rows that were read so many blocks before it. */
const UNDONE_MAX = 128n
const ROWS_MAX = 1_000

/**
 * Brings the rows of a network's channels up to its newest block: the events since the last one name which changed, and their states are read
 * in that block. Those that were read since the last one without an event to show for it are read again, after a reorganisation all that were
 * read lately, after a long pause every open one. Throws when no node answers.
 */
export async function followChain(watching: Watching, last: WatchedBlock | null): Promise<Head> {
  const { chain, db, holder } = watching
  const head = await chain.head()
  // A node that is late must not undo what others said.
  if (last !== null && head.number < last.number) return head
  if (last?.hash === head.hash) {
    await readAll(watching, head, { of: 'ids', ids: [] }, false)
    return head
  }
  const undone = last !== null && (await isUndone(chain, last, head))
  const touched = last === null || undone ? null : await touchedSince(watching, last, head)
  if (last !== null && touched) {
    // What was read after the last block may have been seen in a block that is gone. Its event would be among these.
    await readAll(watching, head, { of: 'undone', since: last.number + 1n, except: [...touched] }, true)
    await readAll(watching, head, { of: 'ids', ids: [...touched] }, false)
  } else {
    if (undone) await readAll(watching, head, { of: 'undone', since: last.number - UNDONE_MAX, except: [] }, true)
    await readAll(watching, head, { of: 'all open' }, undone)
  }
  await moveWatch(db, chain.network, holder, head)
  return head
}

/** Reads these channels again now: something of ours moved them. */
export async function readChannels({ db, chain }: Pick<Watching, 'db' | 'chain'>, ids: readonly Hex[]): Promise<void> {
  const head = await chain.head()
  await writeStates(db, chain.network, await statesOf(chain, ids, head), { block: head.number })
}

async function isUndone(chain: EvmChain, last: WatchedBlock, head: Head): Promise<boolean> {
  if (last.number === head.number) return true
  const [hash = null] = await chain.blockHashes([last.number])
  if (hash === null) throw new Error(`the node of ${chain.title} lacks block ${last.number}`)
  return hash !== last.hash
}

/**
 * The ids that the contract's events name; null where there are too many blocks for a query, or the node refuses it. Throws where a replica
 * answered that lacks the newest block: it says what it has of the range, and a withdrawal would be passed over.
 */
async function touchedSince({ chain, log }: Watching, last: WatchedBlock, head: Head): Promise<ReadonlySet<Hex> | null> {
  if (head.number - last.number > BLOCKS_MAX) return null
  // One turn: both go to one node.
  const [touched, [hash]] = await Promise.all([
    chain.channels.touched({ from: last.number + 1n, to: head.number }).catch((error: unknown) => {
      log.warn(
        { err: error, network: chain.network },
        'events of channels cannot be read now: all open channels are read instead',
      )
      return null
    }),
    chain.blockHashes([head.number]),
  ])
  if (hash !== head.hash) throw new Error(`the node of ${chain.title} that read the events lacks block ${head.number}`)
  return touched
}

async function readAll(
  { db, chain, log }: Watching,
  head: Head,
  which: Parameters<typeof findToRead>[2]['which'],
  undone: boolean,
): Promise<void> {
  let after: Hex | null = null
  do {
    const ids: Hex[] = await findToRead(db, chain.network, { which, after, limit: ROWS_MAX })
    const seen = ids.length > 0 ? await statesOf(chain, ids, head) : []
    tell(log, chain, await writeStates(db, chain.network, seen, { block: head.number, undone }))
    after = ids.length === ROWS_MAX ? (ids.at(-1) ?? null) : null
  } while (after !== null)
}

async function statesOf(chain: EvmChain, ids: readonly Hex[], head: Head) {
  const states = await chain.channels.states(ids, head)
  return ids.flatMap((id, at) => {
    const state = states[at]
    return state ? [{ id, state }] : []
  })
}

function tell(log: Log, { network }: EvmChain, changes: readonly SeenChange[]): void {
  for (const { id, tenantId, withdrawing, frozen, unclaimed } of changes) {
    const channel = { network, channelId: id, tenantId, unclaimed }
    if (frozen) log.error(channel, 'a reorganisation took the deposit of a channel whose vouchers are charged')
    if (withdrawing) log.warn(channel, 'a payer withdraws from a channel')
  }
}
