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
