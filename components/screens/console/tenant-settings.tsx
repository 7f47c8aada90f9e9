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
  const atDefault = settings.filter(([, , chosen]) => !chosen)
  return (
    <Panel title="Plan and limits" action={tenant && tenant.plan !== 'agent' ? <EditLimits tenant={tenant} /> : undefined}>
      {tenant ? (
        <>
          <dl className={`${LIST} py-4`}>{settings.filter(([, , chosen]) => chosen).map(factOf)}</dl>
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

/** Its name, its value, and whether it was chosen: then it stands before what is at default. */
type Setting = readonly [name: string, value: ReactNode, chosen: boolean]

function settingsOf(tenant: Details): Setting[] {
  const { plan, allowedNetworks, payToAllow, maxUsdc, secondChargeSeconds: refused } = tenant
  const networks = networkNames(allowedNetworks)
  const [settlements, verifications] = [tenant.limits.settlementQuota, tenant.limits.verificationQuota]
  const quotas: Setting[] = [
    ['Settlements a month', <Limit key="s" own={settlements} ofPlan={tenant.ofPlan.settlementQuota} />, settlements !== null],
    [
      'Verifications a month',
      <Limit key="v" own={verifications} ofPlan={tenant.ofPlan.verificationQuota} />,
      verifications !== null,
    ],
  ]
  return [
    ['Plan', planTitle(plan), true],
    ['Requests per second', <Limit key="r" own={tenant.limits.rps} ofPlan={tenant.ofPlan.rps} />, true],
    ...(plan === 'agent' ? [] : quotas),
    ['Networks', networks, networks !== networkNames([])],
    ['Recipients (payTo)', <Recipients key="p" addresses={payToAllow} />, payToAllow.length > 0],
    ['Maximum per payment', maxUsdc === null ? 'No limit' : `${maxUsdc} USDC`, maxUsdc !== null],
    ['History', tenant.historyEnabled ? 'On' : 'Off', !tenant.historyEnabled],
    ['Public receipts', tenant.publicReceipts ? 'On' : 'Off', tenant.publicReceipts],
    ['Repeated payments', refused === null ? 'Allowed' : `Refused for ${spanText(refused)}`, refused !== null],
    ['Batched transactions', tenant.shareTransactions ? 'On' : 'Off', !tenant.shareTransactions],
  ]
}

function Limit({ own, ofPlan }: { own: number | null; ofPlan: number }) {
  return (
    <span className="tabular-nums">
      {(own ?? ofPlan).toLocaleString('en')}{' '}
      <span className="text-sm text-soft">{own === null ? 'from the plan' : `instead of ${ofPlan.toLocaleString('en')}`}</span>
    </span>
  )
}

function Recipients({ addresses }: { addresses: readonly string[] }) {
  if (addresses.length === 0) return 'Any'
  return (
    <span className="grid justify-items-start gap-1">
      {addresses.map((address) => (
        <Copyable key={address} text={address} label="recipient" />
      ))}
    </span>
  )
}

function factOf([name, value]: Setting): ReactNode {
  return (
    <div key={name} className="grid grid-cols-[10rem_minmax(0,1fr)] items-baseline gap-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-soft max-sm:text-sm max-sm:leading-6">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </div>
  )
}
