import { setTimeout as delay } from 'node:timers/promises'
import { bytes32 } from '../../x402/encodings'
import type { Rpc } from '../rpc'
import { account, readSlot, readValue } from './rpc'

/** A blockhash is taken for so many blocks after its own. */
export const BLOCKHASH_LIFE = 150n
/** A payment needs so many, about six seconds: less would hold a place, and as a rule end in nothing. */
export const LEAST_LIFE = 15n

/** The account in which a cluster keeps its newest blockhashes, which its own programs read. */
const SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111'
const [LIST_AT, ENTRY_BYTES, HASH_BYTES] = [8, 40, 32]
const REMEMBERED_MS = 1_000
/** A payment does not wait longer for it: then its blockhash counts as a new one. */
const TIMEOUT_MS = 1_000

/** How long blockhashes live: one small read a second for all payments. */
export type Blockhashes = {
  /** Begins to read the list, beside what else is asked. Never throws. */
  prepare(): void
  /** How many more blocks take a blockhash that was good at a slot, two or three too many at most. Null when no node tells it. */
  left(blockhash: string, slot: bigint): Promise<bigint | null>
}

type List = { slot: bigint; bytes: Buffer }

/** The blockhashes of a cluster, as its newest confirmed block has them. `now` is a clock in milliseconds. */
export function createBlockhashes(rpc: Rpc, now: () => number): Blockhashes {
  let last: { list: Promise<List | null>; at: number; over: boolean } | null = null

  /** A list that was asked for after a moment, or is being read now. A node that does not tell it says nothing about payments. */
  function listSince(moment: number): Promise<List | null> {
    if (last && (last.at > moment || !last.over)) return last.list
    const late = delay(TIMEOUT_MS, null, { ref: false })
    const request = { list: Promise.race([readList(rpc).catch(() => null), late]), at: now(), over: false }
    request.list.then(() => {
      request.over = true
    })
    last = request
    return request.list
  }
  const lately = () => listSince(now() - REMEMBERED_MS)

  return {
    prepare() {
      lately()
    },
    async left(blockhash, slot) {
      let list = await lately()
      // It may be younger than the list: a payer may take the newest block's.
      if (list && ageIn(list, blockhash) === null) list = await listSince(now())
      if (!list) return null
      const age = ageIn(list, blockhash)
      if (age !== null) return BLOCKHASH_LIFE - age
      // A whole list lacks no good blockhash but the one in its last block.
      return list.slot >= slot && lengthOf(list) >= BLOCKHASH_LIFE ? 0n : null
    },
  }
}

async function readList(rpc: Rpc): Promise<List> {
  const method = 'getAccountInfo'
  const answer = await rpc(method, [SYSVAR, { commitment: 'confirmed', encoding: 'base64' }])
  const { data } = readValue(account, answer, method)
  const bytes = Buffer.from(data)
  const list = { slot: readSlot(answer, method), bytes }
  if (bytes.length < LIST_AT || bytes.length < LIST_AT + Number(lengthOf(list)) * ENTRY_BYTES)
    throw new Error('node answered with something else than a list of blockhashes')
  return list
}

const lengthOf = ({ bytes }: List): bigint => bytes.readBigUInt64LE(0)

/** How many blocks have come after the one of a blockhash: the newest is first. */
function ageIn(list: List, blockhash: string): bigint | null {
  const wanted = bytes32(blockhash)
  if (!wanted) return null
  for (let age = 0n; age < lengthOf(list); age++) {
    const at = LIST_AT + Number(age) * ENTRY_BYTES
    if (list.bytes.subarray(at, at + HASH_BYTES).equals(wanted)) return age
  }
  return null
}
