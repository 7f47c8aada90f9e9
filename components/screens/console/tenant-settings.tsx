import type { inferRouterOutputs } from '@trpc/server'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { networkNames } from '../../client/own-key'
import { Copyable } from '../../ui/copyable'
import { spanText } from '../../ui/dates'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import { planTitle } from './tenant-quota'

const EditLimits = later(() => import('./edit-limits').then((loaded) => loaded.EditLimits), <Skeleton className="h-8 w-14" />)

type Details = inferRouterOutputs<Root>['admin']['tenant']

// Its columns begin where those of the other cards do.
const LIST = 'grid gap-x-12.5 gap-y-2.5 px-4 md:grid-cols-2'

/** The plan and the settings of a tenant: first what was chosen, and folded what is at default. */
export function Settings({ tenant }: { tenant: Details | undefined }) {
  const settings = tenant ? settingsOf(tenant) : []
  const atDefault = settings.filter(({ chosen }) => !chosen)
  return (
    <Panel title="Plan and limits" action={tenant && tenant.plan !== 'agent' ? <EditLimits tenant={tenant} /> : undefined}>
      {tenant ? (
        <>
          <dl className={`${LIST} py-4`}>{settings.filter(({ chosen }) => chosen).map(factOf)}</dl>
          {atDefault.length === 0 ? null : (
            <details className="group border-t">
              <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between px-4 text-sm text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
                {atDefault.length} more at default
                <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
              </summary>
              <dl className={`${LIST} pt-1 pb-4`}>{atDefault.map(factOf)}</dl>
            </details>
          )}
        </>
      ) : (
        <Skeleton className="m-4 h-[6.4rem] md:h-[4.3rem]" />
      )}
    </Panel>
  )
}

/** `chosen`: it stands before what is at default. */
type Setting = { name: string; value: ReactNode; chosen: boolean }

function settingsOf(tenant: Details): Setting[] {
  const { plan, allowedNetworks, payToAllow, maxUsdc, historyEnabled, publicReceipts, secondChargeSeconds, shareTransactions } =
    tenant
  const networks = networkNames(allowedNetworks)
  return [
    { name: 'Plan', value: planTitle(plan), chosen: true },
    { ...limitOf('Requests per second', tenant, 'rps'), chosen: true },
    ...(plan === 'agent'
      ? []
      : [
          limitOf('Settlements a month', tenant, 'settlementQuota'),
          limitOf('Verifications a month', tenant, 'verificationQuota'),
        ]),
    { name: 'Networks', value: networks, chosen: networks !== networkNames([]) },
    { name: 'Recipients (payTo)', value: recipientsOf(payToAllow), chosen: payToAllow.length > 0 },
    { name: 'Maximum per payment', value: maxUsdc === null ? 'No limit' : `${maxUsdc} USDC`, chosen: maxUsdc !== null },
    { name: 'History', value: historyEnabled ? 'On' : 'Off', chosen: !historyEnabled },
    { name: 'Public receipts', value: publicReceipts ? 'On' : 'Off', chosen: publicReceipts },
    {
      name: 'Repeated payments',
      value: secondChargeSeconds === null ? 'Allowed' : `Refused for ${spanText(secondChargeSeconds)}`,
      chosen: secondChargeSeconds !== null,
    },
    { name: 'Shared transactions', value: shareTransactions ? 'On' : 'Off', chosen: !shareTransactions },
  ]
}

function limitOf(name: string, { limits, ofPlan }: Details, limit: keyof Details['limits']): Setting {
  const own = limits[limit]
  const note = own === null ? 'from the plan' : `instead of ${ofPlan[limit].toLocaleString('en')}`
  const value = (
    <>
      <span className="tabular-nums">{(own ?? ofPlan[limit]).toLocaleString('en')}</span>{' '}
      <span className="text-sm text-soft">{note}</span>
    </>
  )
  return { name, value, chosen: own !== null }
}

function recipientsOf(addresses: readonly string[]): ReactNode {
  if (addresses.length === 0) return 'Any'
  return (
    <span className="grid justify-items-start gap-1">
      {addresses.map((address) => (
        <Copyable key={address} text={address} label="recipient" />
      ))}
    </span>
  )
}

function factOf({ name, value }: Setting): ReactNode {
  return (
    <div key={name} className="grid grid-cols-[10rem_minmax(0,1fr)] items-baseline gap-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-soft max-sm:text-sm max-sm:leading-6">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </div>
  )
}
