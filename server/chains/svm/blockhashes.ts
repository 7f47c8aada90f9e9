import { setTimeout as delay } from 'node:timers/promises'
import { bytes32 } from '../../x402/encodings'
import type { Rpc } from '../rpc'
import { account, readSlot, readValue } from './rpc'

/** A blockhash stays valid for this many blocks. */
export const BLOCKHASH_LIFE = 150n
/** A payment needs about six seconds; with less, it would occupy a slot and usually fail. */
export const LEAST_LIFE = 15n

/** The account with the cluster's newest blockhashes. */
const SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111'
const [LIST_AT, ENTRY_BYTES, HASH_BYTES] = [8, 40, 32]
const REMEMBERED_MS = 1_000
/** A payment waits no longer for the list; its blockhash then counts as new. */
const LIST_TIMEOUT_MS = 1_000

/** Tracks how long blockhashes live, with one small read per second for all payments. */
export type Blockhashes = {
  /** Starts to read the list beside other requests. Never throws. */
  prepare(): void
  /** How many more blocks accept a blockhash that was valid at a slot, at most three too many. Null when no node answers. */
  left(blockhash: string, slot: bigint): Promise<bigint | null>
}

type List = { slot: bigint; bytes: Buffer }

/** The blockhashes of a cluster in its newest confirmed block. `now` is a clock in milliseconds. */
export function createBlockhashes(rpc: Rpc, now: () => number, timeoutMs = LIST_TIMEOUT_MS): Blockhashes {
  let last: { list: Promise<List | null>; at: number; over: boolean } | null = null

  /** A list requested after a moment, or in flight. A node failure says nothing about payments. */
  function listSince(moment: number): Promise<List | null> {
    if (last && (last.at > moment || !last.over)) return last.list
    const late = delay(timeoutMs, null, { ref: false })
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
      // It may be newer than the list: a payer may use the newest block's.
      if (list && ageIn(list, blockhash) === null) list = await listSince(now())
      if (!list) return null
      const age = ageIn(list, blockhash)
      if (age !== null) return BLOCKHASH_LIFE - age
      // A full list lacks no valid blockhash except that of its last block.
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

/** How many blocks followed that of a blockhash: the newest is first. */
function ageIn(list: List, blockhash: string): bigint | null {
  const wanted = bytes32(blockhash)
  if (!wanted) return null
  for (let age = 0n; age < lengthOf(list); age++) {
    const at = LIST_AT + Number(age) * ENTRY_BYTES
    if (list.bytes.subarray(at, at + HASH_BYTES).equals(wanted)) return age
  }
  return null
}
