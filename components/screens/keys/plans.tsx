'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useId, useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import type { Root } from '@/server/trpc/router'
import type { OwnKey } from '../../client/own-key'
import { Problem } from '../../client/problem'
import { useTRPC } from '../../client/trpc'
import { Badge, titled } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { CopyAction } from '../../ui/copy-action'
import { Dialog } from '../../ui/dialog'
import { Skeleton } from '../../ui/panel'
import { mailOf, type PlanRequest, requestFor } from './plan-request'

type Offer = inferRouterOutputs<Root>['keys']['plans']['plans'][number]

/** The plans with their prices, and how to get another one for a key. */
export function Plans({ apiKey, onClose }: { apiKey: OwnKey; onClose: () => void }) {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(trpc.keys.plans.queryOptions())
  const [chosen, setChosen] = useState<string | null>(null)
  const names: string[] = data?.plans.map(({ name }) => name) ?? []
  const wanted = chosen ?? names[names.indexOf(apiKey.plan) + 1] ?? null
  return (
    <Dialog
      title={`Change the plan of ${keyName(apiKey)}`}
      wide
      open
      onClose={onClose}
      focusesItself
      description="The key and its URL stay the same."
    >
      {error ? <Problem error={error} retry={refetch} /> : null}
      {data ? (
        <div className="grid grid-cols-1 gap-4">
          <PlanTable offers={data.plans} current={apiKey.plan} wanted={wanted} onWant={setChosen} />
          <p className="text-sm text-soft">
            Quotas are per calendar month (UTC){apiKey.ownQuota ? '' : ', shared by all your keys of a plan'}. Flash answers in
            about 200 ms, before the block is complete.
          </p>
          <Ask
            contact={data.contact}
            request={requestFor({
              name: keyName(apiKey),
              prefix: apiKey.secrets[0]?.prefix ?? null,
              plan: apiKey.plan,
              wanted,
            })}
          />
        </div>
      ) : error ? null : (
        <Skeleton className="h-141 sm:h-101.5" />
      )}
    </Dialog>
  )
}

type TableProps = {
  offers: readonly Offer[]
  current: string
  /** The plan to ask for. */
  wanted: string | null
  onWant: (plan: string) => void
}

function PlanTable({ offers, current, wanted, onWant }: TableProps) {
  return (
    <table className="-mx-5 w-[calc(100%+2.5rem)] text-sm tabular-nums">
      <thead>
        <tr className={cx(ROW, 'text-xs text-soft *:pb-2')}>
          <th scope="col" className="pl-11!">
            Plan
          </th>
          <th scope="col">
            Settlements<span className="max-sm:hidden"> a month</span>
          </th>
          <th scope="col" className="max-sm:hidden">
            Verifications
          </th>
          <th scope="col" className="max-sm:hidden">
            Requests a second
          </th>
          <th scope="col">Flash</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {offers.map((offer) => (
          <PlanRow
            key={offer.name}
            offer={offer}
            isCurrent={offer.name === current}
            isWanted={offer.name === wanted}
            onWant={() => onWant(offer.name)}
          />
        ))}
      </tbody>
    </table>
  )
}

// A phone has room for four columns with small gaps.
const ROW = 'border-b text-right *:px-1 *:whitespace-nowrap *:first:pl-5 *:first:text-left *:last:pr-5 sm:*:px-2'

type RowProps = { offer: Offer; isCurrent: boolean; isWanted: boolean; onWant: () => void }

function PlanRow({ offer, isCurrent, isWanted, onWant }: RowProps) {
  const { name, flash, price } = offer
  const verifications = offer.verifications.toLocaleString('en')
  const requests = offer.requestsPerSecond.toLocaleString('en')
  const id = useId()
  return (
    <tr className={cx(ROW, 'relative last:border-b-0 *:py-3 *:align-top max-sm:*:pb-8', isWanted && 'bg-wash')}>
      <th scope="row">
        <span className="flex items-center gap-2">
          {isCurrent ? null : <input type="radio" name="plan" id={id} checked={isWanted} onChange={onWant} />}
          {isCurrent ? (
            <span className="pl-6 font-semibold">{titled(name)}</span>
          ) : (
            // The whole row chooses it.
            <label htmlFor={id} className="cursor-pointer font-semibold after:absolute after:inset-0">
              {titled(name)}
            </label>
          )}
          <span className="flex max-sm:absolute max-sm:right-5 max-sm:bottom-2.5">
            {isCurrent ? <Badge tone="good">Current</Badge> : null}
          </span>
        </span>
        <span className="absolute bottom-3 left-11 text-xs text-soft sm:hidden">
          {verifications} verifications · {requests} requests/s
        </span>
      </th>
      <td>{offer.settlements.toLocaleString('en')}</td>
      <td className="max-sm:hidden">{verifications}</td>
      <td className="max-sm:hidden">{requests}</td>
      <td>{flash ? '~200 ms' : '–'}</td>
      <td>{price === null ? 'On request' : `$${price} a month`}</td>
    </tr>
  )
}

/** The request for another plan: a message to send where the operator gives a contact, and to copy. */
function Ask({ contact, request }: { contact: string | null; request: PlanRequest }) {
  const mail = contact === null ? null : mailOf(contact, request)
  return (
    <section aria-label="Request" className="-mx-5 -mb-5 grid gap-3 border-t px-5 py-4">
      <p className="text-sm text-soft">Send this request to the operator of this service:</p>
      <p className="rounded-lg bg-code px-3 py-2 text-sm wrap-anywhere select-all">{request.text}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyAction look={contact === null ? 'primary' : 'plain'} text={request.text}>
          Copy request
        </CopyAction>
        {contact === null ? null : (
          <a
            href={mail ?? contact}
            {...(mail === null ? { target: '_blank', rel: 'noreferrer' } : {})}
            className={buttonClass({ look: 'primary' })}
          >
            {mail === null ? 'Contact operator' : 'Email request'}
          </a>
        )}
      </div>
    </section>
  )
}
