import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { lockFolder } from '../server/db/folder-lock'

const patienceMs = 40_000

/** Waits until the service of an earlier run has let go of its database: after a hard kill it finishes what it has in hand, which takes up to 25 seconds. */
export async function previousServiceGone(
  folder: string,
  say: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const deadline = Date.now() + patienceMs
  for (let told = false; ; told = true) {
    signal?.throwIfAborted()
    try {
      const lock = await lockFolder(folder)
      return await lock.release()
    } catch (cause) {
      if (Date.now() > deadline) throw cause
      if (!told) say('The service of an earlier run is still stopping; waiting for it (up to 25 s).')
    }
    await delay(250)
  }
}
