// A merchant's server as a process of its own: official, with its channels at the facilitator. It can end itself like a crash.
import type { ChannelStorage } from '@x402/evm/batch-settlement/server'
import type { Address } from 'viem'
import { QuittanceChannels } from '../../packages/quittance/src/index'
import { NETWORK, startStream } from './stream'

/**
 * When it ends itself, at which request: its answer is made and not charged, the charge is on its way, or it is written and the payer has no
 * answer yet.
 */
export type StreamDeath = { moment: 'served' | 'charging' | 'charged'; request: number }

export type StreamSettings = { url: string; receiver: Address; usdc: Address; death: StreamDeath | null }

const { url, receiver, usdc, death }: StreamSettings = JSON.parse(process.env.STREAM_MERCHANT ?? '{}')
const counts = { served: 0, charging: 0, charged: 0 }

function pass(moment: StreamDeath['moment'], afterMs = 0): void {
  if (++counts[moment] !== death?.request || moment !== death.moment) return
  if (afterMs > 0) setTimeout(() => process.kill(process.pid, 'SIGKILL'), afterMs)
  else process.kill(process.pid, 'SIGKILL')
}

const kept = new QuittanceChannels({ url, network: NETWORK })
const storage: ChannelStorage = {
  get: (id) => kept.get(id),
  list: () => kept.list(),
  async updateChannel(id, update) {
    let isCharge = false
    const updating = kept.updateChannel(id, (current) => {
      const next = update(current)
      isCharge = BigInt(next?.chargedCumulativeAmount ?? 0) > BigInt(current?.chargedCumulativeAmount ?? 0)
      if (isCharge) pass('charging', 1)
      return next
    })
    const updated = await updating
    if (isCharge) pass('charged')
    return updated
  },
}
const stream = await startStream({ usdc }, url, receiver, {
  storage,
  maxTimeoutSeconds: 5,
  working: async () => pass('served'),
})
process.send?.({ url: stream.url })
