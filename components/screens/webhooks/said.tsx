import Link from 'next/link'
import { environmentOf, isNetworkId } from '@/server/x402/networks/networks'
import { settlementsUrl } from '../../client/analytics/links'
import { type Delivery, isTest as isTestEvent } from '../../client/webhook-texts'
import { Badge } from '../../ui/badge'
import { Aligned, percent, placesOf } from '../../ui/figures'
import { ResourceName } from '../../ui/resource-name'

type Props = { row: Pick<Delivery, 'event' | 'said' | 'settlement' | 'kept'> }

type AmountProps = Pick<Props, 'row'> & {
  places: number
  /** Whether the head of the column does not name the token. */
  withSymbol: boolean
}

/** The amount of a delivery's payment, in a column. */
export function SaidAmount({ row: { said }, places, withSymbol }: AmountProps) {
  if (said?.kind !== 'payment') return null
  const { amount, token } = said
  return (
    <>
      <Aligned atomic={amount} decimals={token.decimals} places={places} className="font-medium" />
      {withSymbol ? ` ${token.symbol}` : null}
    </>
  )
}

/** How many decimals the amounts of some deliveries have. */
export const amountPlaces = (rows: readonly Pick<Delivery, 'said'>[]): number =>
  placesOf(rows.flatMap(({ said }) => (said?.kind === 'payment' ? [{ atomic: said.amount, decimals: said.token.decimals }] : [])))

/** The token of all amounts of some deliveries; null where they differ, or without any. */
export function onlySymbol(rows: readonly Pick<Delivery, 'said'>[]): string | null {
  const [symbol, ...others] = new Set(rows.flatMap(({ said }) => (said?.kind === 'payment' ? [said.token.symbol] : [])))
  return symbol !== undefined && others.length === 0 ? symbol : null
}

/** What a delivery speaks of: the resource of its payment, a listing, or an alert in words. */
export function SaidOf({ row: { event, said }, stacks }: Props & Stacking) {
  if (said?.kind === 'quota') return `Quota at ${percent(said.share)}`
  if (said?.kind === 'failures') return `${said.failed} of ${said.total} payments failed`
  if (said?.kind === 'credits') return `${said.left.toLocaleString('en')} of ${said.bought.toLocaleString('en')} credits left`
  if (said?.kind === 'listing') return <Resource url={said.resource} isTest={said.environment === 'testnet'} stacks={stacks} />
  if (!said) return <span className="text-soft">{isTestEvent(event) ? 'Test message' : 'Not stored'}</span>
  const { resource, network } = said
  return <Resource url={resource} isTest={isNetworkId(network) && environmentOf(network) === 'testnet'} stacks={stacks} />
}

/** Where a host stands below its path. */
type Stacking = { stacks?: 'narrow' | undefined }

function Resource({ url, isTest, stacks }: Stacking & { url: string; isTest: boolean }) {
  const test = isTest ? <Badge tone="warn">Test</Badge> : null
  if (!url) return test
  return (
    <ResourceName url={url} stacks={stacks}>
      {test}
    </ResourceName>
  )
}

/** What a delivery speaks of; of a payment the resource, with a link to its settlement if history has it. */
export function SaidLink({ row }: Props) {
  const { said, settlement, kept } = row
  const resource = <SaidOf row={row} />
  if (said?.kind !== 'payment') return resource
  if (!settlement || !kept) return resource
  const environment = isNetworkId(said.network) ? environmentOf(said.network) : undefined
  const href = settlementsUrl(OWN, { environment, network: null, zone: 'UTC' }, { id: settlement })
  return (
    <span className="grid justify-items-start gap-0.5">
      <span className="max-w-full">{resource}</span>
      <Link href={href} className="text-sm">
        View settlement
      </Link>
    </span>
  )
}

const OWN = { path: '/dashboard/settlements', of: {} }
