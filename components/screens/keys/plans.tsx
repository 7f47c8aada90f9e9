'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { keyName } from '@/server/accounts/key-name'
import type { Root } from '@/server/trpc/router'
import type { OwnKey } from '../../client/own-key'
import { Problem } from '../../client/problem'
import { useTRPC } from '../../client/trpc'
import { Badge, titled } from '../../ui/badge'
import { Button, buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Dialog } from '../../ui/dialog'
import { Skeleton } from '../../ui/panel'
import { COPY_WORDS, CopyIcon, useCopy } from '../../ui/use-copy'
import { mailOf, type PlanRequest, requestFor } from './plan-request'

type Offer = inferRouterOutputs<Root>['keys']['plans']['plans'][number]

/** The plans with their prices, and how to get another one for a key. */
export function Plans({ apiKey, onClose }: { apiKey: OwnKey; onClose: () => void }) {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(trpc.keys.plans.queryOptions())
  return (
    <Dialog
      title="Plans"
      open
      onClose={onClose}
      focusesItself
      description="The operator of this service changes plans. Your keys and URLs stay the same."
    >
      {error ? <Problem error={error} retry={refetch} /> : null}
      {data ? (
        <div className="grid grid-cols-1 gap-4">
          <PlanTable offers={data.plans} current={apiKey.plan} />
          <p className="text-sm text-soft">
            Settlements and verifications count per calendar month (UTC). All your keys of a plan share them. Flash: we answer in
            about 200 ms, before the block.
          </p>
          <Ask
            contact={data.contact}
            request={requestFor({
              name: keyName(apiKey),
              prefix: apiKey.secrets[0]?.prefix ?? null,
              plan: apiKey.plan,
              plans: data.plans.map(({ name }) => name),
            })}
          />
        </div>
      ) : error ? null : (
        <Skeleton className="h-145 sm:h-107" />
      )}
    </Dialog>
  )
}

function PlanTable({ offers, current }: { offers: readonly Offer[]; current: string }) {
  // Where no plan has a price, all would say the same.
  const priced = offers.some(({ price }) => price !== null && price !== '0')
  return (
    <table className="-mx-2 w-[calc(100%+1rem)] text-sm">
      <thead>
        <tr className="border-b text-right text-xs text-soft *:px-1.5 *:pb-2 *:font-normal *:first:pl-2 *:last:pr-2 sm:*:px-3 sm:*:first:pl-2 sm:*:last:pr-2">
          <th scope="col" className="text-left">
            Plan
          </th>
          <th scope="col">Settlements</th>
          <th scope="col">Verifications</th>
          <th scope="col">Requests/s</th>
        </tr>
      </thead>
      <tbody>
        {offers.map((offer) => (
          <PlanRow key={offer.name} offer={offer} isCurrent={offer.name === current} priced={priced} />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = { offer: Offer; isCurrent: boolean; priced: boolean }

function PlanRow({ offer, isCurrent, priced }: RowProps) {
  const { name, flash, price, settlements, verifications, requestsPerSecond } = offer
  return (
    <tr
      className={cx(
        'border-b text-right tabular-nums last:border-b-0 *:px-1.5 *:py-2.5 *:first:pl-2 *:last:pr-2 sm:*:px-3 sm:*:first:pl-2 sm:*:last:pr-2',
        isCurrent && 'bg-wash *:first:rounded-l-md *:last:rounded-r-md',
      )}
    >
      <th scope="row" className="text-left font-normal">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="text-base font-semibold">{titled(name)}</span>
          {isCurrent ? <Badge tone="good">Your plan</Badge> : null}
          {flash ? <Badge>Flash</Badge> : null}
        </span>
        {priced ? <span className="text-soft">{price === null ? 'On request' : `$${price} a month`}</span> : null}
      </th>
      <td>{settlements.toLocaleString('en')}</td>
      <td>{verifications.toLocaleString('en')}</td>
      <td>{requestsPerSecond.toLocaleString('en')}</td>
    </tr>
  )
}

/** The request for another plan: a message to send, or to copy where the operator gives no address for messages. */
function Ask({ contact, request }: { contact: string | null; request: PlanRequest }) {
  const { state, copy } = useCopy(request.text)
  const mail = contact === null ? null : mailOf(contact, request)
  return (
    <section aria-label="Request" className="-mx-5 -mb-5 grid gap-3 border-t px-5 py-4">
      <p className="text-sm text-soft">
        {contact === null ? 'This service publishes no address for plans. Send its operator this request:' : 'Your request:'}
      </p>
      <p className="rounded-lg bg-code px-3 py-2 text-sm wrap-anywhere select-all">{request.text}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button look={contact === null ? 'primary' : 'plain'} onClick={copy}>
          <CopyIcon state={contact === null ? 'idle' : state} />
          <span aria-live="polite">{state === 'idle' ? 'Copy request' : COPY_WORDS[state]}</span>
        </Button>
        {contact === null ? null : (
          <a
            href={mail ?? contact}
            {...(mail === null ? { target: '_blank', rel: 'noreferrer' } : {})}
            className={buttonClass({ look: 'primary' })}
          >
            {mail === null ? 'Ask for a plan' : 'Write to the operator'}
          </a>
        )}
      </div>
    </section>
  )
}
