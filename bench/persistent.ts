import { setTimeout as delay } from 'node:timers/promises'

/** What came of payments whose merchants ask again until they know: how often they were answered, and how many never learned it. */
export type Persistence = { known: number; unknown: number; asked: number; statuses: Map<string, number>; longestMs: number }

const AGAIN_MS = 500
/** A request that died with its instance is waited for until its deadline; then whoever asks again is told. */
const PATIENCE_MS = 90_000

async function isSettled(url: string, id: string | null): Promise<boolean> {
  const response = await fetch(`${url}/settlements/${id}`, { headers: { connection: 'close' } })
  const { settlements = [] }: { settlements?: { state: string }[] } = await response.json()
  return settlements.some(({ state }) => state === 'succeeded')
}

/** Settles these bodies, so many at a time, each again until it is known how it ended, whatever happens to connections. */
export async function payAllUntilKnown(url: string, bodies: readonly string[], parallel: number): Promise<Persistence> {
  const result: Persistence = { known: 0, unknown: 0, asked: 0, statuses: new Map(), longestMs: 0 }
  const left = [...bodies]
  const note = (status: string) => result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1)

  async function ask(body: string): Promise<boolean> {
    result.asked++
    try {
      const headers = { 'content-type': 'application/json', connection: 'close' }
      const response = await fetch(`${url}/settle`, { method: 'POST', headers, body })
      const answer = await response.json()
      note(String(response.status))
      // Told to a connection that died: whoever lost the answer looks it up.
      const isToldAlready = response.status === 409 && !response.headers.has('retry-after')
      return answer.success === true || (isToldAlready && (await isSettled(url, response.headers.get('x-settlement-id'))))
    } catch {
      // The instance died, or its answer did: exactly what is being tried.
      note('no answer')
      return false
    }
  }

  async function payOne(body: string): Promise<void> {
    const began = performance.now()
    while (!(await ask(body))) {
      if (performance.now() - began > PATIENCE_MS) {
        result.unknown++
        return
      }
      await delay(AGAIN_MS)
    }
    result.known++
    result.longestMs = Math.max(result.longestMs, performance.now() - began)
  }

  const client = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) await payOne(body)
  }
  await Promise.all(Array.from({ length: parallel }, client))
  return result
}
