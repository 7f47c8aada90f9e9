/** A claim or refund of a channel. */
type Claim = { kind: string; state: string; createdAt: string }

/** The states of transactions that landed. */
export const LANDED: ReadonlySet<string> = new Set(['PRECONFIRMED', 'INCLUDED', 'FINAL'])

/** The refund that closed a channel with nothing left: its last event. Undefined if a claim or request came after it. */
export function closingRefund<Row extends Claim>(claims: readonly Row[], usedAt: string | null): Row | undefined {
  const last = claims
    .filter(({ state }) => LANDED.has(state))
    .toSorted(inOrder)
    .at(-1)
  if (last?.kind !== 'refund') return undefined
  return usedAt !== null && inSeconds(usedAt) > inSeconds(last.createdAt) ? undefined : last
}

/** Compares two claims, oldest first. */
export const inOrder = (one: Claim, other: Claim): number => Date.parse(one.createdAt) - Date.parse(other.createdAt)

/** A time in whole seconds, as timelines show it. */
export const inSeconds = (at: string): number => Math.floor(Date.parse(at) / 1_000)
