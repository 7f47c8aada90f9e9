import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/base/durations'
import { webhookEvents } from '@/server/webhooks/events'
import { USDC } from '@/server/x402/networks/assets'
import type { Delivery, Endpoint } from '../../client/webhook-texts'

/** A webhook as it looks after its first day. */
export function exampleEndpoint(now: number): Endpoint {
  const at = (ms: number) => new Date(now - ms).toISOString()
  const last = { id: 'example', state: 'delivered', at: at(2 * MINUTE_MS), status: 200, error: null } as const
  const day = { ended: 131, delivered: 131, median: 92, p95: 184 }
  const hours = HOURS.map((good, ago) => ({ hour: at((now % HOUR_MS) + ago * HOUR_MS), good, bad: 0 }))
  const settings = { id: 'example', url: 'https://your-server.com/webhooks', events: [...webhookEvents], keys: [] }
  return { ...settings, createdAt: at(DAY_MS), disabledAt: null, gone: false, graceUntil: null, failures: 0, day, hours, last }
}

const HOURS = [4, 9, 8, 6, 7, 9, 8, 6, 5, 6, 7, 5, 4, 3, 2, 2, 1, 3, 5, 6, 7, 8, 5, 4]

/** Deliveries of this message and of two before it, as the list shows them. */
export function exampleDeliveries(now: number, body: string | null): Delivery[] {
  const { data }: { data?: { network?: string; resource?: string } } = body === null ? {} : JSON.parse(body)
  const { network = 'eip155:8453', resource = '' } = data ?? {}
  return SENT.map(([event, amount, minutes, tries]) => {
    const at = new Date(now - minutes * MINUTE_MS).toISOString()
    return {
      id: `example ${minutes}`,
      endpoint: 'example',
      url: 'https://your-server.com/webhooks',
      removed: false,
      event,
      settlement: null,
      said: { kind: 'payment', amount, token: USDC, resource, network },
      kept: true,
      state: 'delivered',
      tries,
      lastStatus: 200,
      lastError: null,
      createdAt: at,
      nextAt: null,
      endedAt: at,
    }
  })
}

const SENT = [
  ['payment.settled', '1000', 2, 1],
  ['payment.settled', '2500', 9, 1],
  ['payment.failed', '1000', 26, 1],
] as const
