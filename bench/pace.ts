/** How many answers of a kind a minute had, by status, and how long they took in milliseconds. */
export type Minute = { waits: number[]; statuses: Map<number, number> }

export const newMinute = (): Minute => ({ waits: [], statuses: new Map() })

/**
 * Calls so many times a second whatever the answers take, as customers do, until told to stop. Resolves when all of them have
 * answered. How long one took counts from when it was due, so a queue on our side is not hidden.
 */
export async function pace(perSecond: number, minute: () => Minute, call: () => Promise<number>, going: () => boolean) {
  const started = performance.now()
  const open = new Set<Promise<void>>()
  for (let turn = 0; going(); turn++) {
    const due = started + (turn * 1_000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    const answering = call().then((status) => {
      const { waits, statuses } = minute()
      waits.push(performance.now() - due)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    open.add(answering)
    void answering.finally(() => open.delete(answering))
  }
  await Promise.all(open)
}

/** The wait that this share of a minute's answers stayed below, in whole milliseconds. */
export function percentile({ waits }: Minute, share: number): number {
  const sorted = waits.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
}
