'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { keyName } from '@/server/accounts/key-name'
import type { Root } from '@/server/trpc/router'
import type { Environment } from '@/server/x402/networks/networks'
import { changesOf, comparisonOf } from '../../client/analytics/changes'
import { ByPayers, Failures } from '../../client/analytics/failures'
import { drawnFigure, rateOf } from '../../client/analytics/figure'
import { periodFilter, settlementsUrl, tokenFilter } from '../../client/analytics/links'
import { periodInput } from '../../client/analytics/period-input'
import { environmentTitles } from '../../client/environment'
import { isNoSuch, NoSuch } from '../../client/no-such'
import { networkNames } from '../../client/own-key'
import { Problem } from '../../client/problem'
import { BackLink, ScreenHead } from '../../client/screen-head'
import { LastUse, Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { useZone } from '../../client/zone'
import { Badge } from '../../ui/badge'
import { Button, buttonClass } from '../../ui/button'
import { Chart } from '../../ui/chart/chart'
import { Copyable } from '../../ui/copyable'
import { Changed, Figure, headlineText, shareText } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import { shortened } from '../../ui/shortened'
import { coinAmount, coinPricesText, dollarText } from './coin'
import { LastPayments } from './last-payments'
import { GasLines } from './money'
import { figuresQuery, moneyQuery } from './queries'
import { StateMenu } from './tenant-actions'
import { changesQuery, tenantQuery } from './tenant-queries'
import { KINDS, planTitle, Quota, Verifications } from './tenant-quota'
import { Settings } from './tenant-settings'

// It knows the words of every setting.
const ChangeLog = later(
  () => import('../../client/change-log').then((loaded) => loaded.ChangeLog),
  <Panel title="Changes">
    <Skeleton className="m-4 h-24" />
  </Panel>,
)

const COLUMN = 'flex min-w-0 flex-col gap-4 *:last:grow'

type Details = inferRouterOutputs<Root>['admin']['tenant']
type Figures = inferRouterOutputs<Root>['admin']['figures']
type Gas = inferRouterOutputs<Root>['admin']['money']['gas']

/** One tenant: its plan, limits, secrets, gas, failures, payments and changes. */
export function TenantScreen({ id }: { id: string }) {
  const trpc = useTRPC()
  const { environment } = useEnvironment()
  const zone = useZone()
  const { data: tenant, error, refetch } = useQuery(tenantQuery(trpc, id, environment))
  const unknown = isNoSuch(error)
  const input = environment && tenant ? { ...periodInput({ zone, within: environment }), tenant: id } : skipToken
  const figures = useQuery(figuresQuery(trpc, input))
  const money = useQuery(moneyQuery(trpc, input))
  const changes = useQuery({ ...changesQuery(trpc, id), enabled: !unknown })
  const failed = [figures, money, changes].find((one) => one.error)
  const title = tenant ? keyName(tenant) : 'Tenant'
  const total = figures.data?.total
  // Nothing in the period: one block says it.
  const isUnused = total !== undefined && total.settled + total.failed === 0 && money.data?.gas.length === 0
  return (
    <>
      <BackLink href="/console/tenants">Tenants</BackLink>
      <ScreenHead title={title} facts={error ? null : <Identity id={id} tenant={tenant} />}>
        {error ? null : (
          <>
            <Link href={`/console?tenant=${id}`} className={buttonClass({ size: 'small' })}>
              View on Platform
            </Link>
            <Link href={`/console/history?tenant=${id}`} className={buttonClass({ size: 'small' })}>
              View history
            </Link>
            {tenant ? <StateMenu tenant={tenant} /> : <span className="size-9 max-sm:size-10" />}
          </>
        )}
      </ScreenHead>
      {unknown ? (
        <NoSuch title="No such tenant" href="/console/tenants" action="All tenants">
          The link may be cut off. Search the list by name, owner or ID.
        </NoSuch>
      ) : error ? (
        <Problem error={error} retry={refetch} />
      ) : (
        <div className="grid gap-4">
          {failed?.error ? <Problem error={failed.error} retry={failed.refetch} /> : null}
          {isUnused ? null : (
            <>
              <h2 className="font-semibold">Last 30 days</h2>
              <Sums tenant={tenant} figures={figures.data} gas={money.data?.gas} />
            </>
          )}
          {/* The columns end level. */}
          {isUnused ? null : (
            <div className="grid gap-4 lg:grid-cols-2">
              <div className={COLUMN}>
                <Panel title="Failures" action={<ByPayers total={figures.data?.total} />} className="flex flex-col">
                  <Failures
                    reasons={figures.data?.reasons}
                    compared={false}
                    codes
                    hrefOf={(codes) => failuresUrl(id, environment, figures.data, codes)}
                  />
                </Panel>
                <GasSpent gas={money.data?.gas} />
              </div>
              <LastPayments tenant={id} />
            </div>
          )}
          <Usage tenant={tenant} unusedIn={isUnused ? environment : undefined} />
          <Settings tenant={tenant} />
          <div className="grid gap-4 lg:grid-cols-2">
            <Secrets tenant={tenant} />
            <ChangeLog changes={changes.data} reader="operator" createdAt={tenant?.createdAt} />
          </div>
        </div>
      )}
    </>
  )
}

function failuresUrl(
  tenant: string,
  environment: string | undefined,
  figures: Figures | undefined,
  codes: readonly string[],
): string {
  const reason = codes.length > 0 ? { reason: codes.join(',') } : {}
  const scope = { environment, network: null, zone: figures?.zone ?? 'UTC' }
  const listing = { path: '/console/history', of: { tenant } }
  return settlementsUrl(listing, scope, { ...periodFilter(figures), ...tokenFilter(figures), status: 'failed', ...reason })
}

/** Who a tenant is. */
function Identity({ id, tenant }: { id: string; tenant: Details | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
      {tenant ? (
        <>
          {tenant.revokedAt === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Revoked</Badge>}
          <span>{planTitle(tenant.plan)} plan</span>
          <span>
            {KINDS[tenant.ownerKind] ?? tenant.ownerKind}{' '}
            <Link
              href={`/console/tenants?${new URLSearchParams({ search: tenant.ownerId })}`}
              title={`All tenants of ${tenant.ownerId}`}
              className="inline-flex min-h-6 items-center"
            >
              {shortened(tenant.ownerId)}
            </Link>
          </span>
        </>
      ) : (
        <Skeleton className="h-5 w-72" />
      )}
      <span className="inline-flex min-w-0 items-center gap-1.5">
        ID <Copyable text={id} label="tenant ID" />
      </span>
    </div>
  )
}

/** Stands for the figures of a tenant without payments in the environment of the screen. */
function Unused({ environment }: { environment: Environment }) {
  const { setEnvironment } = useEnvironment()
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t px-4 py-3">
      <p className="text-soft">No {environmentTitles[environment]} payments in 30 days.</p>
      <Button size="small" onClick={() => setEnvironment(other)}>
        Show {environmentTitles[other]}
      </Button>
    </div>
  )
}

type SumsProps = { tenant: Details | undefined; figures: Figures | undefined; gas: Gas | undefined }

/** What a tenant brought and cost in 30 days. */
function Sums({ tenant, figures, gas }: SumsProps) {
  const total = figures?.total
  const rate = total ? rateOf(total) : null
  const drawn = drawnFigure(VOLUME, figures, undefined)
  return (
    <Panel>
      {/* On a phone the first of three has a row of its own. */}
      <dl className="grid grid-cols-2 max-md:[&>:first-child:nth-last-child(odd)]:col-span-2 md:auto-cols-fr md:grid-flow-col md:grid-cols-none">
        <Figure
          label="Volume"
          value={total && headlineText(total.volume, figures.asset)}
          hint={figures ? growthOf(figures) : ''}
        />
        <Figure
          label="Settled"
          value={total?.settled.toLocaleString('en')}
          hint={total ? (rate === null ? 'No valid payments' : `${shareText(rate)} of valid`) : ''}
        />
        <Figure label="Gas" {...gasFigure(gas)} />
        {tenant?.priced && tenant.margin !== null ? (
          <Figure
            label="Margin"
            value={<span className={tenant.margin.startsWith('-') ? 'text-bad' : ''}>{dollarText(tenant.margin)}</span>}
            hint="Plan a month less gas of 30 days"
          />
        ) : null}
      </dl>
      <Chart {...drawn} scale={{ ...drawn.scale, parts: 2 }} plot="h-44" className="border-t px-4 pt-1 pb-2" />
    </Panel>
  )
}

const VOLUME = { figure: 'volume', stack: 'outcome', past: false } as const

/** Whether a tenant grows. */
function growthOf(figures: Figures): ReactNode {
  const change = changesOf(figures, undefined).volume
  if (!change) return comparisonOf(figures) === 'none' ? 'None in the 30 days before' : ''
  return (
    <>
      <Changed change={change} /> from the 30 days before
    </>
  )
}

/** Gas in dollars with the prices of its coins, else the coins of its first network. */
function gasFigure(gas: Gas | undefined): { value: string | undefined; hint?: string } {
  if (!gas) return { value: undefined, hint: '' }
  const [first] = gas
  if (!first) return { value: 'None' }
  const priced = gas.flatMap(({ network, usd }) => (usd === null ? [] : [{ network, usd: BigInt(usd) }]))
  if (priced.length === 0) return { value: coinAmount(first.network, first.spent).shown, hint: 'Its coin has no price' }
  const total = priced.reduce((sum, { usd }) => sum + usd, 0n)
  return { value: dollarText(total.toString()), hint: networkNames(priced.map(({ network }) => network)) }
}

type UsageProps = {
  tenant: Details | undefined
  /** The environment of the screen, if it had no payments there. */
  unusedIn: Environment | undefined
}

/** What a tenant used of its quotas or credits. */
function Usage({ tenant, unusedIn }: UsageProps) {
  return (
    <Panel title="Usage">
      <div className="grid gap-x-12.5 gap-y-3 p-4 md:grid-cols-2">
        {tenant ? (
          <>
            <Quota tenant={tenant} unit={tenant.plan === 'agent' ? ' credits used' : ' settlements this month'} />
            <Verifications tenant={tenant} unit={tenant.plan === 'agent' ? ' verifications used' : ' verifications this month'} />
            <span className="text-sm text-soft md:col-span-2">{quotaNote(tenant)}</span>
          </>
        ) : (
          <Skeleton className="h-[6.5rem] md:col-span-2 md:h-[3.9rem]" />
        )}
      </div>
      {unusedIn ? <Unused environment={unusedIn} /> : null}
    </Panel>
  )
}

/** Which payments count. */
const quotaNote = ({ plan, quota, ownQuota }: Details): string =>
  quota && !ownQuota ? `Live and Test, all ${planTitle(plan)} keys of this owner` : 'Live and Test'

/** The secrets that work, newest first. */
function Secrets({ tenant }: { tenant: Details | undefined }) {
  return (
    <Panel title="Secrets">
      {tenant ? (
        tenant.secrets.length === 0 ? (
          <p className="px-4 py-3 text-soft">No secrets.</p>
        ) : (
          <ul>
            {tenant.secrets.map(({ id, prefix, createdAt, lastUsedAt, graceUntil }) => (
              <li key={id} className="grid border-b px-4 py-2.5 last:border-b-0">
                <code>{prefix}…</code>
                <span className="text-sm text-soft">
                  {graceUntil ? (
                    <>
                      Until <Time at={graceUntil} />
                    </>
                  ) : (
                    <>
                      Created <Time at={createdAt} />
                    </>
                  )}
                  {' · '}
                  <LastUse at={lastUsedAt} />
                </span>
              </li>
            ))}
          </ul>
        )
      ) : (
        <Skeleton className="m-4 h-6" />
      )}
    </Panel>
  )
}

function GasSpent({ gas }: { gas: Gas | undefined }) {
  const prices = coinPricesText(gas?.map(({ network }) => network) ?? [])
  return (
    <Panel title="Gas by network">
      <dl>
        <GasLines gas={gas} />
      </dl>
      <p className="px-4 py-2.5 text-sm text-soft">
        What our signers paid, <Hint text="The days of gas are those of UTC.">by UTC day</Hint>.{prices ? ` ${prices}.` : null}
      </p>
    </Panel>
  )
}
