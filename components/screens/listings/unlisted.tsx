import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { type Environment, networkTitle } from '@/server/x402/networks/networks'
import { sentence } from '../../client/errors'
import { discoverableRoute } from '../../client/programs/discovery'
import { Time } from '../../client/time'
import { Snippet } from '../../ui/code/snippet'
import { moneyText } from '../../ui/figures'
import { Panel } from '../../ui/panel'
import { withoutScheme } from '../../ui/urls'

type Row = inferRouterOutputs<Root>['merchant']['unlisted'][number]

/** Why a paid resource has no listing, and how to mend it. */
const REASONS: Record<Row['why'], { why: string; mend: string }> = {
  undeclared: { why: 'The route declares no discovery extension.', mend: 'Declare it as below; the next payment lists it.' },
  rejected: { why: 'The declaration was rejected.', mend: 'Correct it; the next payment lists the route.' },
  taken: {
    why: 'Another account has this URL in the catalog.',
    mend: 'If the URL is yours, answer its 402 with your payTo; your next payment then moves the listing to you.',
  },
  full: { why: 'Your key or this host has too many listings.', mend: 'Unpaid ones end after 90 days.' },
}

type Props = { rows: readonly Row[]; program: boolean; environment: Environment }

/** Resources that were paid for lately and are not in the catalog, each with the reason, and the program that mends most. */
export function Unlisted({ rows, program, environment }: Props) {
  return (
    <div className="mt-8">
      <Panel title="Paid, but not listed">
        <ul>
          {rows.map((row) => (
            <UnlistedRow key={row.id} row={row} />
          ))}
        </ul>
        {program ? (
          <div className="border-t p-4">
            <DeclareRoute environment={environment} />
          </div>
        ) : null}
      </Panel>
      <p className="mt-2 text-sm text-soft">
        From your newest 2,000 payments. Payments of keys that keep no history list nothing.
      </p>
    </div>
  )
}

function UnlistedRow({ row: { id, resource, network, amount, token, calls, lastPaid, why, detail } }: { row: Row }) {
  const reason = REASONS[why]
  return (
    <li className="grid gap-x-6 gap-y-1 border-b px-4 py-3 last:border-b-0 lg:grid-cols-2">
      <span className="grid min-w-0 content-start gap-0.5">
        <Link href={`/dashboard/settlements?id=${id}`} className="truncate font-medium" title={resource}>
          {resource ? withoutScheme(resource) : 'No resource URL'}
        </Link>
        <span className="text-sm text-soft">
          {moneyText(amount, token)} on {networkTitle(network)} · {calls.toLocaleString('en')} {calls === 1 ? 'call' : 'calls'} ·
          last paid <Time at={lastPaid} />
        </span>
      </span>
      <span className="grid min-w-0 content-start gap-0.5">
        <span className="wrap-anywhere">{detail ? sentence(detail) : reason.why}</span>
        <span className="text-sm text-soft">{reason.mend}</span>
      </span>
    </li>
  )
}

/** The program that declares a route, to copy, with where it goes. */
export function DeclareRoute({ environment }: { environment: Environment }) {
  const code = discoverableRoute(environment === 'mainnet' ? 'eip155:8453' : 'eip155:84532')
  return (
    <div className="grid w-full grid-cols-1 gap-3 text-left">
      <p className="text-soft">
        Replace <code>prices</code> in the program of the <Link href="/dashboard/start">Quick start</Link> with this:
      </p>
      <Snippet name="Official middleware with the discovery extension" code={code} language="typescript" />
    </div>
  )
}
