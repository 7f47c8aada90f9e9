import { LRUCache } from 'lru-cache'
import { atMost } from '../base/at-most'
import type { Claim } from './statements/claim-statement'
import type { ClaimResult } from './statements/claims'

/** Claims whose payers are new to a guarded party, in turn. */
type Newcomers = {
  /**
   * Claims. While the party's places for new payers are full it waits for its turn, at most for half of its deadline, or until the caller
   * hangs up. Returns how much of the deadline was left for the chain, too.
   */
  claim(asked: Claim, hangUp: AbortSignal, waits: () => void): Promise<ClaimResult & { deadlineMs: number }>
}

type Turn = { payer: string; repeats: boolean }

/** New payers of one party that wait at once in one process: more are refused at once. */
const WAITING_MAX = 50
/** How often the next ones in the line ask for a place. */
const AGAIN_MS = 150
/** Payers that had a place within the hour wait behind all others. */
const REMEMBERED = { ...atMost(10_000), ttl: 3_600_000 }

/** The turns of one process. */
export function createNewcomers(claimOnce: (claim: Claim) => Promise<ClaimResult>): Newcomers {
  const lines = new Map<string, Turn[]>()
  const served = new LRUCache<string, true>(REMEMBERED)

  /** A claim for which so many others have a better right to the party's places. */
  async function ask(asked: Claim, ahead: number) {
    const aloneQueue = Math.max(0, asked.limits.aloneQueue - ahead)
    const result = await claimOnce({ ...asked, limits: { ...asked.limits, aloneQueue } })
    if (result.end === 'claimed alone') served.set(payerAt(asked), true)
    return { ...result, deadlineMs: asked.deadlineMs }
  }

  type Told = Awaited<ReturnType<typeof ask>>

  async function wait(asked: Claim, hangUp: AbortSignal, refused: Told): Promise<Told> {
    const place = lineOf(asked)
    const line = lines.get(place) ?? []
    if (line.length >= WAITING_MAX) return refused
    const turn: Turn = { payer: asked.payer, repeats: served.has(payerAt(asked)) }
    lines.set(place, inTurn(line, turn))
    const began = performance.now()
    const spent = () => Math.round(performance.now() - began)
    try {
      while (spent() < asked.deadlineMs / 2 && !hangUp.aborted) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
        const ahead = lines.get(place)?.indexOf(turn) ?? 0
        if (ahead >= asked.limits.aloneQueue) continue
        const result = await ask({ ...asked, deadlineMs: asked.deadlineMs - spent() }, 0)
        if (result.end !== 'new payers') return result
      }
      return refused
    } finally {
      const left = (lines.get(place) ?? []).filter((one) => one !== turn)
      if (left.length > 0) lines.set(place, left)
      else lines.delete(place)
    }
  }

  return {
    async claim(asked, hangUp, waits) {
      const result = await ask(asked, lines.get(lineOf(asked))?.length ?? 0)
      if (result.end !== 'new payers') return result
      waits()
      return wait(asked, hangUp, result)
    },
  }
}

const lineOf = ({ party, network }: Claim) => `${network} ${party}`
const payerAt = (asked: Claim) => `${asked.payer} ${lineOf(asked)}`

/** The line with one more: behind those of its kind, and a payer that had a place behind all others. */
function inTurn(line: readonly Turn[], turn: Turn): Turn[] {
  if (turn.repeats) return [...line, turn]
  return [...line.filter(({ repeats }) => !repeats), turn, ...line.filter(({ repeats }) => repeats)]
}
