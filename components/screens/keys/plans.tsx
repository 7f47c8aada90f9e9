'use client'

import { useQuery } from '@tanstack/react-query'
import { Problem } from '../../client/problem'
import { useTRPC } from '../../client/trpc'
import { Badge, titled } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
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
      description="Settlements and verifications count per calendar month (UTC). All your keys of a plan share them."
    >
      {error ? <Problem error={error} retry={refetch} /> : null}
      {data ? (
        <div className="grid gap-4">
          <ul className="grid gap-2">
            {data.plans.map((plan) => (
              <li
                key={plan.name}
                className={cx(
                  'grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-2 rounded-lg border px-4 py-3',
                  plan.name === current && 'border-accent',
                )}
              >
                <span className="flex flex-wrap items-center gap-2 font-semibold">
                  {titled(plan.name)} {plan.name === current ? <Badge tone="good">Your plan</Badge> : null}
                  {plan.flash ? <Badge>Flash</Badge> : null}
                </span>
                <span className="font-medium tabular-nums">{priceText(plan.price)}</span>
                <dl className="col-span-2 grid grid-cols-3 gap-x-3 text-sm">
                  <Amount name="Settlements" amount={plan.settlements} />
                  <Amount name="Verifications" amount={plan.verifications} />
                  <Amount name="Requests a second" amount={plan.requestsPerSecond} />
                </dl>
              </li>
            ))}
          </ul>
          <p className="text-sm text-soft">Flash answers on a preconfirmation, in about 200 ms.</p>
          {data.contact ? (
            <a
              href={data.contact}
              target="_blank"
              rel="noreferrer"
              className={cx(buttonClass({ look: 'primary' }), 'justify-self-end')}
            >
              Change your plan
            </a>
          ) : (
            <p className="text-sm text-soft">
              The operator of this service changes plans. Ask them, and name the key: its prefix is in its row. Your keys and URLs
              stay the same.
            </p>
          )}
        </div>
      ) : error ? null : (
        <Skeleton className="h-124" />
      )}
    </Dialog>
  )
}

function Amount({ name, amount }: { name: string; amount: number }) {
  return (
    <div className="grid min-w-0 content-start">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="tabular-nums">{amount.toLocaleString('en')}</dd>
    </div>
  )
}

function priceText(price: string | null): string {
  if (price === null) return 'Price on request'
  return price === '0' ? 'Free' : `$${price} a month`
}
