'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Check } from 'lucide-react'
import { useId, useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import type { Root } from '@/server/trpc/router'
import type { OwnKey } from '../../client/own-key'
import { Problem } from '../../client/problem'
import { useTRPC } from '../../client/trpc'
import { titled } from '../../ui/badge'
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
          <p className="text-sm text-soft">Quotas are per calendar month (UTC), shared by all your keys of a plan.</p>
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
        <Skeleton className="h-135 sm:h-118" />
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
    <table className="w-full text-sm">
      <thead>
        <tr className={cx(ROW, 'text-xs text-soft *:align-bottom *:pb-2 *:font-normal')}>
          <th scope="col" className="pl-6!">
            Plan
          </th>
          <th scope="col" className="text-right">
            <span className="block">Settlements</span> Verifications
          </th>
          <th scope="col">
            <span className="block">Settles</span> Requests
          </th>
          <th scope="col" className="text-right">
            Price
          </th>
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
const ROW = 'border-b text-left *:px-1 *:first:pl-0 *:last:pr-0 sm:*:px-4 sm:*:first:pl-0 sm:*:last:pr-0'

type RowProps = { offer: Offer; isCurrent: boolean; isWanted: boolean; onWant: () => void }

function PlanRow({ offer, isCurrent, isWanted, onWant }: RowProps) {
  const { name, flash, price, settlements, verifications, requestsPerSecond } = offer
  const id = useId()
  return (
    <tr className={cx(ROW, 'relative tabular-nums last:border-b-0 *:py-2.5 *:align-top *:whitespace-nowrap')}>
      <th scope="row" className="font-normal">
        <span className="grid grid-cols-[1rem_auto] justify-start gap-x-2">
          {isCurrent ? (
            <Check aria-hidden className="mt-0.5 size-4 text-accent" />
          ) : (
            <input type="radio" name="plan" id={id} checked={isWanted} onChange={onWant} className="m-0! mt-0.5! size-4" />
          )}
          {isCurrent ? (
            <span className="font-semibold">{titled(name)}</span>
          ) : (
            // The whole row chooses it.
            <label htmlFor={id} className="cursor-pointer font-semibold after:absolute after:inset-0">
              {titled(name)}
            </label>
          )}
          {isCurrent ? <span className="col-start-2 text-accent">Current</span> : null}
        </span>
      </th>
      <td className="text-right">
        {settlements.toLocaleString('en')}
        <span className="block text-soft">{verifications.toLocaleString('en')}</span>
      </td>
      <td>
        {flash ? 'In ~200 ms' : 'In a block'}
        <span className="block text-soft">{requestsPerSecond.toLocaleString('en')}/s</span>
      </td>
      <td className="text-right">{price === null ? 'On request' : `$${price} a month`}</td>
    </tr>
  )
}

/** The request for another plan: a message to send, to a chosen address where the operator gives none, or to copy. */
function Ask({ contact, request }: { contact: string | null; request: PlanRequest }) {
  const { state, copy } = useCopy(request.text)
  const mail = mailOf(contact ?? 'mailto:', request)
  return (
    <section aria-label="Request" className="-mx-5 -mb-5 grid gap-3 border-t px-5 py-4">
      <p className="text-sm text-soft">The operator of this service changes the plan. Send them this request:</p>
      <p className="rounded-lg bg-code px-3 py-2 text-sm wrap-anywhere select-all">{request.text}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={copy}>
          <CopyIcon state={state} />
          <span aria-live="polite">{state === 'idle' ? 'Copy request' : COPY_WORDS[state]}</span>
        </Button>
        <a
          href={mail ?? contact ?? ''}
          {...(mail === null ? { target: '_blank', rel: 'noreferrer' } : {})}
          className={buttonClass({ look: 'primary' })}
        >
          {mail === null ? 'Contact operator' : 'Email request'}
        </a>
      </div>
    </section>
  )
}
