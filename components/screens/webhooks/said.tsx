import Link from 'next/link'
import { environmentOf, isNetworkId } from '@/server/x402/networks/networks'
import { settlementsUrl } from '../../client/analytics/links'
import { type Delivery, isTest as isTestEvent } from '../../client/webhook-texts'
import { Badge } from '../../ui/badge'
import { moneyText, percent } from '../../ui/figures'
import { ResourceName } from '../../ui/resource-name'

type Props = { row: Pick<Delivery, 'event' | 'said' | 'settlement' | 'kept'> }

/** What a delivery speaks of: its payment, a listing, or an alert in words. */
export function Said({ row: { event, said } }: Props) {
  if (said?.kind === 'quota') return `Quota at ${percent(said.share)}`
  if (said?.kind === 'failures') return `${said.failed} of ${said.total} payments failed`
  if (said?.kind === 'credits') return `${said.left.toLocaleString('en')} of ${said.bought.toLocaleString('en')} credits left`
  if (said?.kind === 'listing') return <Resource url={said.resource} isTest={said.environment === 'testnet'} />
  if (!said) return <span className="text-soft">{isTestEvent(event) ? 'Test message' : 'Not stored'}</span>
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="font-medium whitespace-nowrap tabular-nums">{moneyText(said.amount, said.token)}</span>
      <Resource url={said.resource} isTest={isNetworkId(said.network) && environmentOf(said.network) === 'testnet'} />
    </span>
  )
}

function Resource({ url, isTest }: { url: string; isTest: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      {url ? <ResourceName url={url} /> : null}
      {isTest ? <Badge tone="warn">Test</Badge> : null}
    </span>
  )
}

/** What a delivery speaks of; a payment links to its settlement, if history has it. */
export function SaidLink({ row }: Props) {
  const { said, settlement, kept } = row
  if (said?.kind !== 'payment' || !settlement || !kept) return <Said row={row} />
  const environment = isNetworkId(said.network) ? environmentOf(said.network) : undefined
  const href = settlementsUrl(OWN, { environment, network: null, zone: 'UTC' }, { id: settlement })
  return (
    <span className="grid justify-items-start gap-0.5">
      <span className="max-w-full max-sm:[&_[data-host]]:hidden">
        <Said row={row} />
      </span>
      <Link href={href} className="text-sm">
        View settlement
      </Link>
    </span>
  )
}

const OWN = { path: '/dashboard/settlements', of: {} }
