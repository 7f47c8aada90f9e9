import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import { useState } from 'react'
import type { Root } from '@/server/trpc/router'
import { type Environment, networkTitle } from '@/server/x402/networks/networks'
import { BATCH_SETTLEMENT } from '@/server/x402/schemes/batch-settlement/scheme'
import { USUAL_SCHEME } from '@/server/x402/schemes/scheme-names'
import { sentence } from '../../client/errors'
import { Problem } from '../../client/problem'
import { discoverableRoute } from '../../client/programs/discovery'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Snippet } from '../../ui/code/snippet'
import { moneyText } from '../../ui/figures'
import { countedText } from '../../ui/list-summary'
import { Panel, Skeleton } from '../../ui/panel'
import { withoutScheme } from '../../ui/urls'

type ReportData = inferRouterOutputs<Root>['merchant']['report']
type Resource = ReportData['resources'][number]
type Fault = Resource['problems'][number]

type Props = { report: ReportData; program: boolean; environment: Environment }

/** Paid resources that the catalog does not have, and listed ones with something to fix: each with the exact rule and its remedy. */
export function Report({ report: { resources, keysWithoutHistory }, program, environment }: Props) {
  const missing = resources.filter(({ listed }) => !listed)
  const listed = resources.filter((one) => one.listed)
  return (
    <>
      {missing.length > 0 || keysWithoutHistory.length > 0 ? (
        <div className="mt-8">
          <Panel
            title="Paid, but not listed"
            action={missing.length > 0 ? <span className="text-sm text-soft">Of your newest 2,000 payments</span> : null}
          >
            {missing.length > 0 ? <Resources resources={missing} environment={environment} /> : null}
            {program ? (
              <div className="border-t p-4">
                <DeclareRoute environment={environment} />
              </div>
            ) : null}
            {keysWithoutHistory.length > 0 ? <WithoutHistory keys={keysWithoutHistory} below={missing.length > 0} /> : null}
          </Panel>
        </div>
      ) : null}
      {listed.length > 0 ? (
        <div className="mt-8">
          <Panel title="Listed, with something to fix">
            <Resources resources={listed} environment={environment} />
          </Panel>
        </div>
      ) : null}
    </>
  )
}

type WithoutProps = {
  keys: ReportData['keysWithoutHistory']
  /** Whether it stands below resources. */
  below: boolean
}

function WithoutHistory({ keys, below }: WithoutProps) {
  return (
    <p className={cx('px-4 py-3 text-sm text-soft', below && 'border-t')}>
      Payments of keys without history list nothing:{' '}
      {keys.map(({ id, name }, at) => (
        <span key={id}>
          {at === 0 ? null : ', '}
          <Link href={`/dashboard/keys/${id}`}>{name || id.slice(0, 8)}</Link>
        </span>
      ))}
      .
    </p>
  )
}

function Resources({ resources, environment }: { resources: readonly Resource[]; environment: Environment }) {
  return (
    <ul>
      {resources.map((one) => (
        <ReportedRow key={one.paid?.id ?? one.resource} resource={one} environment={environment} />
      ))}
    </ul>
  )
}

function ReportedRow({ resource: one, environment }: { resource: Resource; environment: Environment }) {
  const { resource, problems, heldBy, isCorrectable } = one
  return (
    <li className="grid gap-x-6 gap-y-2 border-b px-4 py-3 last:border-b-0 lg:grid-cols-2">
      <PaidFor resource={one} />
      <span className="grid min-w-0 content-start gap-2">
        {problems.map((fault) => (
          <FaultText key={fault.rule} fault={fault} />
        ))}
        {heldBy ? <Holders holders={heldBy} /> : null}
        {isCorrectable ? <Correction resource={resource} environment={environment} /> : null}
      </span>
    </li>
  )
}

function PaidFor({ resource: { resource, paid } }: { resource: Resource }) {
  const name = resource ? withoutScheme(resource) : 'No resource URL'
  if (!paid) return <span className="min-w-0 truncate font-medium">{name}</span>
  const { id, scheme, price, token, network, calls, lastPaid } = paid
  const counted = scheme === BATCH_SETTLEMENT ? 'deposit' : 'call'
  return (
    <span className="grid min-w-0 content-start gap-0.5">
      {/* A deposit is in no list of payments. */}
      {id === null ? (
        <span className="truncate font-medium" title={resource}>
          {name}
        </span>
      ) : (
        <Link href={`/dashboard/settlements?id=${id}`} className="truncate font-medium" title={resource}>
          {name}
        </Link>
      )}
      <span className="text-sm text-soft">
        {scheme === USUAL_SCHEME ? '' : 'Up to '}
        {moneyText(price, token)} on {networkTitle(network)} · {countedText(calls, counted)} · last paid <Time at={lastPaid} />
      </span>
    </span>
  )
}

/** The rule in words, and what to do. */
function FaultText({ fault: { message, remedy } }: { fault: Fault }) {
  return (
    <span className="grid gap-0.5">
      <span className="wrap-anywhere">{sentence(message)}</span>
      <span className="text-sm text-soft">
        <WithCode text={remedy} />
      </span>
    </span>
  )
}

/** A text whose names of fields stand between backticks. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: parts repeat, and their order does not change
    return at % 2 === 1 ? <code key={at}>{part}</code> : part
  })
}

function Holders({ holders }: { holders: NonNullable<Resource['heldBy']> }) {
  return (
    <span className="text-sm text-soft">
      It pays{' '}
      {holders.map(({ network, payTo }, at) => (
        <span key={`${network} ${payTo}`}>
          {at === 0 ? null : ', '}
          <code className="wrap-anywhere">{payTo}</code> on {networkTitle(network)}
        </span>
      ))}
      .
    </span>
  )
}

/** The corrected declaration, read when it is asked for. */
function Correction({ resource, environment }: { resource: string; environment: Environment }) {
  const trpc = useTRPC()
  const [open, setOpen] = useState(false)
  const query = useQuery({ ...trpc.merchant.corrected.queryOptions({ environment, resource }), enabled: open })
  if (!open) {
    return (
      <span>
        <Button size="small" onClick={() => setOpen(true)}>
          Show corrected declaration
        </Button>
      </span>
    )
  }
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  if (!query.data) return <Skeleton className="h-40 w-full" />
  const { declaration } = query.data
  if (!declaration) return <span className="text-sm text-soft">No declaration lists it: shorten what you declare.</span>
  return <Snippet name="Corrected declaration" code={JSON.stringify(declaration, null, 2)} language="json" />
}

/** The program that declares a route, to copy, with where it goes. */
export function DeclareRoute({ environment }: { environment: Environment }) {
  const code = discoverableRoute(environment === 'mainnet' ? 'eip155:8453' : 'eip155:84532')
  return (
    <div className="grid grid-cols-1 content-start gap-3">
      <p className="text-sm text-soft">
        Install, then replace <code>prices</code> in your server. No server yet?{' '}
        <Link href="/dashboard/start?step=server">Open Quick start</Link>
      </p>
      <Snippet name="Install" code="npm install @x402/extensions" language="shellscript" />
      <Snippet name="Discovery extension" code={code} language="typescript" fold="early" leads />
    </div>
  )
}
