import { DAY_MS, MINUTE_MS } from '@/server/base/durations'
import { webhookEvents } from '@/server/webhooks/events'
import type { Endpoint } from '../../client/webhook-texts'

/** A webhook as it looks after its first day. */
export function exampleEndpoint(now: number): Endpoint {
  const at = (ms: number) => new Date(now - ms).toISOString()
  const last = { id: 'example', state: 'delivered', at: at(2 * MINUTE_MS), status: 204, error: null } as const
  const day = { ended: 131, delivered: 131, p95: 184 }
  const settings = { id: 'example', url: 'https://your-server.com/webhooks', events: [...webhookEvents], keys: [] }
  return { ...settings, createdAt: at(DAY_MS), disabledAt: null, gone: false, graceUntil: null, failures: 0, day, last }
}
