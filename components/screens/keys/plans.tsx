'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
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
          <p className="text-sm text-soft">
            {data.plans.filter(({ name }) => name === (wanted ?? apiKey.plan)).map(restText)} Quotas are per calendar month (UTC),
            shared by all your keys of a plan.
          </p>
          <Ask
            contact={data.contact}
            request={requestFor({
              name: keyName(apiKey),
              prefix: apiKey.secrets[0]?.prefix ?? null,
              plan: apiKey.plan,
              wanted,
            })}
            onClose={onClose}
          />
        </div>
      ) : error ? null : (
        <Skeleton className="h-137 sm:h-102" />
      )}
    </Dialog>
  )
}

const restText = ({ name, verifications, requestsPerSecond }: Offer): string =>
  `${titled(name)} also has ${verifications.toLocaleString('en')} verifications and ${requestsPerSecond} requests a second.`

type TableProps = {
  offers: readonly Offer[]
  current: string
  /** The plan to ask for. */
  wanted: string | null
  onWant: (plan: string) => void
}

function PlanTable({ offers, current, wanted, onWant }: TableProps) {
  return (
    <table className="-mx-2 w-[calc(100%+1rem)] text-sm">
      <thead>
        <tr className="border-b text-right text-xs text-soft *:px-1.5 *:align-bottom *:pb-2 *:font-normal *:first:pl-2 *:last:pr-2 sm:*:px-3 sm:*:first:pl-2 sm:*:last:pr-2">
          <th scope="col" className="text-left">
            Plan
          </th>
          <th scope="col">Monthly settlements</th>
          <th scope="col" className="text-left">
            Settles
          </th>
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

type RowProps = { offer: Offer; isCurrent: boolean; isWanted: boolean; onWant: () => void }

function PlanRow({ offer, isCurrent, isWanted, onWant }: RowProps) {
  const { name, flash, price, settlements } = offer
  const id = useId()
  return (
    <tr
      className={cx(
        'relative border-b text-right tabular-nums last:border-b-0 *:px-1.5 *:align-baseline *:py-2.5 *:first:pl-2 *:last:pr-2 sm:*:px-3 sm:*:first:pl-2 sm:*:last:pr-2',
        isCurrent && 'bg-wash *:first:rounded-l-md *:last:rounded-r-md',
      )}
    >
      <th scope="row" className="text-left font-normal">
        <span className="grid grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-1.5">
          {isCurrent ? (
            <span />
          ) : (
            <input type="radio" name="plan" id={id} checked={isWanted} onChange={onWant} className="m-0! translate-y-0.5" />
          )}
          <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
            {isCurrent ? (
              <span className="font-semibold sm:text-base">{titled(name)}</span>
            ) : (
              // The whole row chooses it.
              <label htmlFor={id} className="cursor-pointer font-semibold after:absolute after:inset-0 sm:text-base">
                {titled(name)}
              </label>
            )}
            {isCurrent ? <span className="text-xs font-medium text-accent">Your plan</span> : null}
          </span>
        </span>
      </th>
      <td>{settlements.toLocaleString('en')}</td>
      <td className="text-left">{flash ? 'In about 200 ms' : 'After the block'}</td>
      <td className="whitespace-nowrap">{price === null ? 'On request' : `$${price} a month`}</td>
    </tr>
  )
}

/** The request for another plan: a message to send, or to copy where the operator gives no address for messages. */
function Ask({ contact, request, onClose }: { contact: string | null; request: PlanRequest; onClose: () => void }) {
  const { state, copy } = useCopy(request.text)
  const mail = contact === null ? null : mailOf(contact, request)
  return (
    <section aria-label="Request" className="-mx-5 -mb-5 grid gap-3 border-t px-5 py-4">
      <p className="text-sm text-soft">
        {contact === null ? 'Copy this request and send it to the team that runs this service:' : 'Your request to the operator:'}
      </p>
      <p className="rounded-lg bg-code px-3 py-2 text-sm wrap-anywhere select-all">{request.text}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
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
            {mail === null ? 'Contact the operator' : 'Email the operator'}
          </a>
        )}
      </div>
    </section>
  )
}
