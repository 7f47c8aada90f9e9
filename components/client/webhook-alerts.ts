import type { Alert } from '../ui/alerts'
import { countedText } from '../ui/list-summary'
import { hostOf } from '../ui/urls'
import type { Endpoint } from './webhook-texts'

type Webhook = Pick<Endpoint, 'id' | 'url' | 'gone' | 'disabledAt' | 'failures'>

/** What a merchant mends of its webhooks. One that it disabled itself is an alert only if no other is left. */
export function webhookAlerts(webhooks: readonly Webhook[]): Alert[] {
  const isDeaf = webhooks.every(({ disabledAt }) => disabledAt !== null)
  return webhooks.flatMap(({ id, url, gone, disabledAt, failures }): Alert[] => {
    const to = { key: `webhook ${id}`, tone: 'warn', href: '/dashboard/webhooks' } as const
    const its = `The webhook ${hostOf(url)}`
    if (gone) return [{ ...to, text: `${its} is disabled: your server answered 410 Gone.`, action: 'Enable webhook' }]
    if (disabledAt !== null)
      return isDeaf ? [{ ...to, text: `${its} is disabled, so no events are sent.`, action: 'Enable webhook' }] : []
    if (failures === 0) return []
    return [
      {
        ...to,
        text: `${its} fails: ${countedText(failures, 'delivery', { many: 'deliveries' })} in 24 hours.`,
        action: 'View responses',
      },
    ]
  })
}
