import { until } from '../until'

/** Repeats a round in a new window until it took less than a second, the window of a rate limit. A busy machine may need several. */
export async function inOneSecond<T>(play: () => Promise<T>): Promise<T> {
  for (;;) {
    const startedAt = performance.now()
    const result = await play()
    if (performance.now() - startedAt < 900) return result
    await until(() => performance.now() - startedAt > 2_000, 'a new window')
  }
}

/** Plays a round whose limit counts an hour of the clock. If it fails and another hour began meanwhile, it plays it once more, whole. */
export async function inOneHour(play: () => Promise<void>): Promise<void> {
  const hour = () => Math.floor(Date.now() / 3_600_000)
  const began = hour()
  try {
    await play()
  } catch (cause) {
    if (hour() === began) throw cause
    await play()
  }
}
