const FIRST_PAUSE_MS = 5_000
const LAST_PAUSE_MS = 4 * 3_600_000

/** How long a delivery is retried. */
export const TRIED_HOURS = 24

/** The maximum tries of a delivery, resends included. */
export const TRIES_MAX = 100

/** The pause after so many failures: tripled each time, up to four hours, with jitter. */
export function pauseMs(failures: number, random: () => number = Math.random): number {
  const pause = Math.min(FIRST_PAUSE_MS * 3 ** (failures - 1), LAST_PAUSE_MS)
  return Math.round(pause * (0.75 + random() / 2))
}
