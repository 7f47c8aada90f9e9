import type { ChainClient } from './client'

const lingerMs = 60_000

/** Mines at the block time while anything happens and for a minute after, else at the idle pace. Returns how to stop it. */
export function startPulse(client: ChainClient, blockTimeSeconds: number, idleBlockTimeSeconds: number): () => void {
  let busyUntil = 0
  let idleSince = 0
  let stopped = false
  let lost = false
  const beat = async (): Promise<void> => {
    try {
      const now = Date.now()
      const { pending } = await client.getTxpoolStatus()
      if (pending > 0) busyUntil = now + lingerMs
      if (now < busyUntil || now - idleSince >= idleBlockTimeSeconds * 1_000) {
        await client.mine({ blocks: 1 })
        idleSince = now
        lost = false
      }
    } catch (cause) {
      // The chain itself may have ended a moment before its pulse is stopped.
      if (!stopped && !lost) console.error(`The local chain does not answer: ${cause instanceof Error ? cause.name : cause}`)
      lost = true
    }
    if (!stopped) timer = setTimeout(beat, blockTimeSeconds * 1_000)
  }
  let timer = setTimeout(beat, 0)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
