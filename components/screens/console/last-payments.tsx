import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { tokenNamed } from '@/server/x402/networks/assets'
import { networkTitle } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { queryOf } from '../../client/use-filters'
import { Badge } from '../../ui/badge'
import { moneyText } from '../../ui/figures'
import { LoadingRows } from '../../ui/list'
import { Panel } from '../../ui/panel'
import { partsOf } from '../../ui/resource-name'
import { lastPaymentsQuery, PAYMENTS } from './tenant-queries'

const ROW = 'grid grid-cols-1 content-center border-b px-4 py-2.5 last:border-b-0'

/** The newest payments of a tenant. Each opens in the history. */
export function LastPayments({ tenant }: { tenant: string }) {
  const trpc = useTRPC()
  const { environment } = useEnvironment()
  const { data, error, refetch } = useQuery(lastPaymentsQuery(trpc, tenant, environment))
  const url = (more: { search?: string } = {}) =>
    `/console/history?${queryOf({ tenant, ...(environment ? { environment } : {}), ...more })}`
  return (
    <Panel
      title="Last payments"
      action={
        <Link href={url()} className="inline-flex min-h-6 items-center text-sm">
          View all
        </Link>
      }
      className="flex flex-col"
    >
      {error ? (
        <div className="p-4">
          <Problem error={error} retry={refetch} />
        </div>
      ) : data?.settlements.length === 0 ? (
        <p className="px-4 py-3 text-soft">No payments here yet.</p>
      ) : (
        // A whole list ends level with the cards beside it.
        <ul className={data && data.settlements.length < PAYMENTS ? undefined : 'grid grow auto-rows-fr'}>
          {data ? (
            data.settlements.map(({ id, createdAt, amount, asset, success, reasonTitle, network, resource, resourceName }) => (
              <li key={id} className={ROW}>
                <span className="flex items-center justify-between gap-x-4">
                  <Link
                    href={url({ search: id })}
                    className="font-medium text-ink no-underline tabular-nums hover:text-accent hover:underline"
                  >
                    {moneyText(amount, tokenNamed(asset))}
                  </Link>
                  <Badge tone={success ? 'good' : 'bad'}>{success ? 'Settled' : 'Failed'}</Badge>
                </span>
                <span className="flex min-w-0 justify-between gap-x-4 text-sm leading-5 text-soft">
                  <span className="min-w-0 truncate" title={reasonTitle ?? resource ?? undefined}>
                    {reasonTitle ?? partsOf(resourceName ?? resource ?? '').path}
                  </span>
                  <span className="shrink-0">
                    {networkTitle(network)} · <Time at={createdAt} />
                  </span>
                </span>
              </li>
            ))
          ) : (
            <LoadingRows count={PAYMENTS} row={ROW} className="h-11" />
          )}
        </ul>
      )}
    </Panel>
  )
}
