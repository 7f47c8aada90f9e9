'use client'

import { useQuery } from '@tanstack/react-query'
import { Problem } from '../../client/problem'
import { useTRPC } from '../../client/trpc'
import { Badge, titled } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Skeleton } from '../../ui/panel'

type Props = { current: string; onClose: () => void }

/** The plans with their prices, and how to get another one. */
export function Plans({ current, onClose }: Props) {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(trpc.keys.plans.queryOptions())
  return (
    <Dialog
      title="Plans"
      open
      onClose={onClose}
      description="Limits per calendar month (UTC). All your keys of a plan share them."
    >
      {error ? <Problem error={error} retry={refetch} /> : null}
      {data ? (
        <div className="grid gap-4">
          <ul className="grid gap-2">
            {data.plans.map((plan) => (
              <li
                key={plan.name}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 rounded-lg border px-4 py-3"
              >
                <span className="flex flex-wrap items-center gap-2 font-semibold">
                  {titled(plan.name)} {plan.name === current ? <Badge tone="good">Your plan</Badge> : null}
                </span>
                <span className="font-medium tabular-nums">{priceText(plan.price)}</span>
                <span className="col-span-2 text-sm text-soft">
                  {plan.settlements.toLocaleString('en')} settlements, {plan.verifications.toLocaleString('en')} verifications,{' '}
                  {plan.requestsPerSecond} requests a second{plan.flash ? ', Flash' : ''}
                </span>
              </li>
            ))}
          </ul>
          <p className="text-sm text-soft">Flash answers on a preconfirmation, in about 200 ms.</p>
          {data.contact ? (
            <a href={data.contact} target="_blank" rel="noreferrer" className={buttonClass({ look: 'primary' })}>
              Change your plan
            </a>
          ) : (
            <p className="text-soft">
              The operator of this service changes plans. Ask them, and name the key: its prefix is in its row. Your keys and URLs
              stay the same.
            </p>
          )}
        </div>
      ) : error ? null : (
        <Skeleton className="h-64" />
      )}
    </Dialog>
  )
}

function priceText(price: string | null): string {
  if (price === null) return 'Price on request'
  return price === '0' ? 'Free' : `$${price} a month`
}
