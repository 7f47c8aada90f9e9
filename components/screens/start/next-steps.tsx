'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Compass, type LucideIcon, SlidersHorizontal, Webhook } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { tokenNamed } from '@/server/x402/networks/assets'
import type { Environment } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { isLimited, type OwnKey } from '../../client/own-key'
import { webhooksQuery } from '../../client/queries'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useSignedWallet } from '../../client/use-signed-wallet'
import { webhookAlerts } from '../../client/webhook-alerts'
import { Attention } from '../../ui/alerts'
import { Badge } from '../../ui/badge'
import { CopyLine } from '../../ui/copy-line'
import { moneyText } from '../../ui/figures'
import { countedText } from '../../ui/list-summary'
import { Skeleton } from '../../ui/panel'
import { ResourceName } from '../../ui/resource-name'

type Props = { baseUrl: string; environment: Environment; keys: readonly OwnKey[] }

/** What a merchant does once all steps are done: its facilitator URL again, and how far the other screens are. */
export function NextSteps({ baseUrl, environment, keys }: Props) {
  const trpc = useTRPC()
  const wallet = useSignedWallet()
  const webhooks = useQuery(webhooksQuery(trpc))
  const listings = useQuery(trpc.merchant.listings.queryOptions({ environment }))
  return (
    <div className="mb-3">
      <Attention alerts={webhookAlerts(webhooks.data?.endpoints ?? [])} />
      <div className="grid gap-4 md:grid-cols-3">
        <section aria-label="Facilitator URL" className="flex flex-col panel md:col-span-2">
          <div className="grid grow content-start gap-2 p-4">
            <CopyLine name="Facilitator URL" text={`${baseUrl}/v1/<API_KEY>`} action="Copy template" />
            <p className="text-sm text-soft">
              Replace <code>&lt;API_KEY&gt;</code> with your key. If you lost it, rotate it.
            </p>
          </div>
          <KeysFoot keys={keys} />
        </section>
        <LastPayment environment={environment} />
      </div>
      <nav aria-label="Next steps" className="mt-6">
        <h2 className="mb-3 text-sm font-medium text-soft">Next steps</h2>
        <ul className="grid gap-4 md:grid-cols-3">
          <NextStep
            href="/dashboard/webhooks"
            title="Webhooks"
            icon={Webhook}
            status={webhooks.error ? null : webhooks.data && statusOfWebhooks(webhooks.data.endpoints)}
          >
            Your server gets a signed message when a verified payment settles or fails.
          </NextStep>
          <NextStep
            href="/dashboard/listings"
            title="Listings"
            icon={Compass}
            status={listings.error ? null : listings.data && statusOfListings(listings.data)}
          >
            Agents find your routes in the catalog.
          </NextStep>
          <NextStep href="/dashboard/keys" title="Limits" icon={SlidersHorizontal} status={statusOfLimits(keys, wallet)}>
            {wallet === null
              ? 'A key can allow only some networks, recipients and amounts.'
              : 'A key can allow only some networks and amounts. It pays only your wallet.'}
          </NextStep>
        </ul>
      </nav>
      <h2 className="mt-6 text-sm font-medium text-soft">Finished steps</h2>
    </div>
  )
}

/** How many keys there are, and when the newest use was. */
function KeysFoot({ keys }: { keys: readonly OwnKey[] }) {
  const used = keys.flatMap(({ secrets }) => secrets.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])).sort()
  const newest = used.at(-1)
  return (
    <Foot href="/dashboard/keys" action="View keys">
      {countedText(keys.length, 'key')}
      {newest ? (
        <>
          {' · last used '}
          <Time at={newest} />
        </>
      ) : null}
    </Foot>
  )
}

/** The newest settled payment, as proof that all works. */
function LastPayment({ environment }: { environment: Environment }) {
  const trpc = useTRPC()
  const { data, error } = useQuery(
    trpc.settlements.list.queryOptions({ reader: 'merchant', environment, status: 'success', limit: 1 }),
  )
  const [newest] = data?.settlements ?? []
  if (error) return null
  return (
    <section aria-label="Last payment" className="flex min-h-43 flex-col panel">
      {newest ? (
        <>
          <p className="grid min-w-0 grow content-start gap-1 p-4">
            <span className="text-sm text-soft">Last payment</span>
            <span className="text-xl leading-6 font-semibold tracking-tight tabular-nums">
              {moneyText(newest.amount, tokenNamed(newest.asset))}
            </span>
            {newest.resource ? (
              <span className="grid text-sm">
                <ResourceName url={newest.resource} name={newest.resourceName} stacks="always" />
              </span>
            ) : null}
          </p>
          <Foot href={`/dashboard/settlements?${new URLSearchParams({ environment, id: newest.id })}`} action="View payment">
            <Time at={newest.createdAt} />
          </Foot>
        </>
      ) : data ? (
        <p className="p-4 text-soft">No payment in {environmentTitles[environment]} yet.</p>
      ) : (
        <Skeleton className="m-4 h-16" />
      )}
    </section>
  )
}

type StepStatus = { state: ReactNode; action: string }

type NextStepProps = {
  href: string
  title: string
  icon: LucideIcon
  /** Undefined while it loads, null if it could not be read. */
  status: StepStatus | null | undefined
  children: string
}

/** How far a screen is, and what to do there. */
function NextStep({ href, title, icon: Icon, status, children }: NextStepProps) {
  return (
    <li>
      <Link href={href} className="group flex h-full flex-col panel text-ink no-underline hover:border-accent">
        <span className="grid grow grid-cols-[1.25rem_minmax(0,1fr)] content-start items-center gap-x-3 gap-y-1 px-4 pt-4 pb-3">
          <Icon aria-hidden className="size-5 text-accent" />
          <span className="font-medium">{title}</span>
          <span className="col-start-2 text-sm text-soft">{children}</span>
        </span>
        <Foot action={status?.action}>{status === undefined ? <Skeleton className="h-5 w-32" /> : status?.state}</Foot>
      </Link>
    </li>
  )
}

type FootProps = {
  /** Without it the whole card is a link. */
  href?: string
  action: string | undefined
  children: ReactNode
}

/** The last line of a card: how far it is, and what to do. */
function Foot({ href, action, children }: FootProps) {
  const look = 'flex shrink-0 items-center gap-1.5 leading-6 text-accent no-underline'
  const shown = (
    <>
      {action}
      <ArrowRight aria-hidden className="size-4 transition-transform motion-safe:group-hover:translate-x-0.5" />
    </>
  )
  return (
    <span className="flex h-11 items-center justify-between gap-3 border-t px-4 text-sm whitespace-nowrap">
      <span className="text-soft">{children}</span>
      {!action ? null : href ? (
        <Link href={href} className={look}>
          {shown}
        </Link>
      ) : (
        <span className={look}>{shown}</span>
      )}
    </span>
  )
}

function statusOfWebhooks(endpoints: readonly { disabledAt: string | null }[]): StepStatus {
  const off = endpoints.filter(({ disabledAt }) => disabledAt !== null).length
  if (endpoints.length === 0) return { state: 'No webhook', action: 'Add one' }
  const state = off > 0 ? <Badge tone="warn">{off} disabled</Badge> : countedText(endpoints.length, 'webhook')
  return { state, action: 'View webhooks' }
}

type Listed = { listings: readonly { listed: boolean }[]; next: number | null }

function statusOfListings({ listings, next }: Listed): StepStatus {
  const count = listings.filter(({ listed }) => listed).length
  if (count === 0) return { state: 'None listed', action: listings.length === 0 ? 'List a route' : 'View listings' }
  // The first page holds the newest only.
  return { state: `${count}${next === null ? '' : '+'} listed`, action: 'View listings' }
}

function statusOfLimits(keys: readonly OwnKey[], wallet: string | null): StepStatus {
  const limited = keys.filter((key) => isLimited(key, wallet)).length
  if (limited === 0) return { state: 'No limits set', action: 'Set limits' }
  return { state: `${limited} of ${keys.length} limited`, action: 'View keys' }
}
