import { ChevronDown } from 'lucide-react'
import { TEST_EVENT, webhookEvents } from '@/server/ledger/states'
import { Snippet } from '../snippet'
import { EVENT_MEANINGS } from './text'

/** A message as it is sent: the headers of its signature, and its body. */
export type Message = { headers: Record<string, string>; body: string }

const EVENTS = [
  ...webhookEvents.map((name) => [name, EVENT_MEANINGS[name]] as const),
  [TEST_EVENT, 'You sent a test. It contains no payment.'] as const,
]

/** The events with their meanings, and a signed message. `open` unfolds it at first. */
export function WhatWeSend({ message: { headers, body }, open }: { message: Message; open: boolean }) {
  const shown = Object.entries({ 'content-type': 'application/json', ...headers }).map(([name, value]) => `${name}: ${value}`)
  return (
    <details open={open} className="group mt-4 rounded-xl border border-solid border-line bg-card">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-4 py-2 font-semibold [&::-webkit-details-marker]:hidden">
        What we send
        <ChevronDown aria-hidden className="size-4 text-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid border-0 border-t border-solid border-line lg:grid-cols-2">
        <dl className="grid content-start gap-3 p-4 text-[0.8125rem]">
          {EVENTS.map(([name, meaning]) => (
            <div key={name} className="grid gap-x-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
              <dt>
                <code>{name}</code>
              </dt>
              <dd className="text-soft">{meaning}</dd>
            </div>
          ))}
        </dl>
        <section aria-label="Example message" className="min-w-0 border-0 border-solid border-line max-lg:border-t lg:border-l">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
            <p className="m-0 text-[0.8125rem] text-soft">
              Example of a signed POST. <a href="/docs/webhooks#receive">How to verify it</a>
            </p>
            <Snippet name="Headers" code={shown.join('\n')} />
            <Snippet name="Body" code={JSON.stringify(JSON.parse(body), null, 2)} language="json" />
          </div>
        </section>
      </div>
    </details>
  )
}
