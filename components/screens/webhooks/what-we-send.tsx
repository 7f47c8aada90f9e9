import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { EVENT_MEANINGS } from '@/server/webhooks/event-texts'
import { eventGroups, TEST_EVENT, webhookEvents } from '@/server/webhooks/events'
import type { Environment } from '@/server/x402/networks/networks'
import { EVENT_NAMES } from '../../client/webhook-texts'
import { cx } from '../../ui/class-names'
import { Snippet } from '../../ui/code/snippet'
import { Choice } from '../../ui/fields'
import { optionOf } from '../../ui/pill'

/** A message as it is sent: the headers of its signature, and its body. */
export type Message = { environment: Environment; event: string; headers: Record<string, string>; body: string }

const OPTIONS = EVENT_NAMES.map((name) => [name, name] as const)
const GROUPS = [...eventGroups, ['Tests', [TEST_EVENT]]] as const

type Props = {
  messages: readonly Message[]
  /** Whether it is unfolded at first. */
  open?: boolean
}

/** The events with their meanings, and a signed message of the chosen one: one message of each event. */
export function WhatWeSend({ messages, open = false }: Props) {
  const [chosen, setChosen] = useState<(typeof EVENT_NAMES)[number]>(webhookEvents[0])
  const example = useId()
  const message = messages.find(({ event }) => event === chosen)
  const shown = Object.entries({ 'content-type': 'application/json', ...message?.headers })
  return (
    <details open={open} className="group mt-4 panel">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 px-4 py-2 font-semibold [&::-webkit-details-marker]:hidden">
        What we send
        <ChevronDown aria-hidden className="size-4 text-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid border-t lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="grid content-between gap-3 p-4 text-sm">
          {/* On a phone the message stands right below the choice. */}
          <div className="grid gap-2 sm:hidden">
            <Choice
              label="Event to show"
              value={chosen}
              options={OPTIONS}
              onChange={({ target }) => setChosen(optionOf(OPTIONS, target.value) ?? chosen)}
            />
            <p className="text-soft">{EVENT_MEANINGS[chosen]}</p>
          </div>
          {GROUPS.map(([group, names]) => (
            <div key={group} className="grid gap-0.5 max-sm:hidden">
              <h3 className="text-xs font-medium text-soft">{group}</h3>
              {names.map((name) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={name === chosen}
                  aria-controls={example}
                  onClick={() => setChosen(name)}
                  className={cx(
                    '-mx-2 grid gap-x-4 rounded-lg px-2 py-1 text-left sm:max-lg:grid-cols-[10.5rem_minmax(0,1fr)]',
                    name === chosen ? 'bg-wash' : 'hover:bg-code',
                  )}
                >
                  <code>{name}</code>
                  <span className={name === chosen ? 'text-ink' : 'text-soft'}>{EVENT_MEANINGS[name]}</span>
                </button>
              ))}
            </div>
          ))}
        </div>
        <section
          id={example}
          aria-label="Example message"
          className="grid min-w-0 grid-cols-1 content-start gap-3 p-4 max-lg:border-t lg:border-l [&_pre]:text-xs"
        >
          <p className="text-sm text-soft">
            Example of a signed POST. <a href="/docs/webhooks#receive">How to verify it</a>
          </p>
          <Snippet name="Headers" code={shown.map(([name, value]) => `${name}: ${value}`).join('\n')} wraps />
          {message ? (
            <Snippet name="Body" code={JSON.stringify(JSON.parse(message.body), null, 2)} language="json" fold="late" wraps />
          ) : null}
        </section>
      </div>
    </details>
  )
}
