'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DAY_MS, HOUR_MS } from '@/server/base/durations'
import { Problem } from '../../client/problem'
import { ExactTime } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import type { Endpoint } from '../../client/webhook-texts'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField } from '../../ui/fields'
import { countedText } from '../../ui/list-summary'
import { Meter } from '../../ui/meter'
import { withoutScheme } from '../../ui/urls'
import { RESENT_MAX, resendAll } from './resend-calls'

const SPANS = [
  ['hour', 'the last hour', HOUR_MS],
  ['day', 'the last 24 hours', DAY_MS],
  ['week', 'the last 7 days', 7 * DAY_MS],
  ['month', 'the last 30 days', 30 * DAY_MS],
] as const

type Run = { state: 'choosing' } | { state: 'going'; resent: number } | { state: 'done'; resent: number; error: Error | null }

/** Sends everything again that was not delivered since a time, with its progress and its result. */
export function ResendAll({ endpoints, onClose }: { endpoints: readonly Endpoint[]; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const enabled = endpoints.filter(({ disabledAt }) => disabledAt === null)
  const [span, setSpan] = useState<string>('day')
  const [endpoint, setEndpoint] = useState('')
  const [opened] = useState(() => Date.now())
  const [run, setRun] = useState<Run>({ state: 'choosing' })
  const length = SPANS.find(([name]) => name === span)?.[2] ?? DAY_MS
  const which = { since: new Date(opened - length).toISOString(), ...(endpoint ? { endpoint } : {}) }
  const found = useQuery(trpc.webhooks.undelivered.queryOptions(which, { enabled: run.state === 'choosing' }))
  const count = found.data?.count
  async function start() {
    setRun({ state: 'going', resent: 0 })
    const { resent, error } = await resendAll(
      (cursor) => trpc.webhooks.resendAll.mutate({ ...which, cursor }),
      (resent) => setRun({ state: 'going', resent }),
    )
    setRun({ state: 'done', resent, error })
    void queries.invalidateQueries(trpc.webhooks.pathFilter())
  }
  return (
    <Dialog
      title="Resend what was not delivered"
      open
      firm={run.state === 'going'}
      onClose={onClose}
      description="Sends each failed message and each that waits for a retry, with its own webhook ID. Tests are left out."
    >
      {run.state === 'choosing' ? (
        <div className="grid gap-4">
          <ChoiceField
            label="Period"
            value={span}
            options={SPANS.map(([name, text]) => [name, `In ${text}`] as const)}
            onChange={({ target }) => setSpan(target.value)}
            hint={
              <>
                Messages since <ExactTime at={which.since} />
              </>
            }
          />
          {enabled.length > 1 ? (
            <ChoiceField
              label="Webhook"
              value={endpoint}
              options={[['', 'All webhooks'], ...enabled.map(({ id, url }) => [id, withoutScheme(url)] as const)]}
              onChange={({ target }) => setEndpoint(target.value)}
            />
          ) : null}
          {found.error ? (
            <Problem error={found.error} retry={found.refetch} />
          ) : (
            <p className="min-h-[2lh]">{foundText(count)}</p>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button look="primary" disabled={!count} onClick={() => void start()}>
              {count ? `Resend ${countText(count)}` : 'Resend'}
            </Button>
          </div>
        </div>
      ) : (
        <div className="grid gap-4">
          <Meter label="Messages" value={run.resent} limit={Math.max(count ?? 0, run.resent, 1)} alarming={false} />
          <p role="status">{resultText(run)}</p>
          {run.state === 'done' && run.error ? <Problem error={run.error} /> : null}
          <div className="flex justify-end">
            <Button look="primary" disabled={run.state === 'going'} onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}

const countText = (count: number): string => (count >= RESENT_MAX ? `the newest ${digits(RESENT_MAX)}` : digits(count))

const digits = (count: number): string => count.toLocaleString('en')

const messages = (count: number): string => countedText(count, 'message')

function foundText(count: number | undefined): string {
  if (count === undefined) return 'Counting…'
  if (count === 0) return 'Nothing to resend: everything was delivered or is being sent, or its webhook is disabled.'
  if (count >= RESENT_MAX)
    return `${digits(RESENT_MAX)} messages or more were not delivered. One run sends the newest ${digits(RESENT_MAX)}.`
  return `${messages(count)} ${count === 1 ? 'was' : 'were'} not delivered.`
}

function resultText(run: Exclude<Run, { state: 'choosing' }>): string {
  if (run.state === 'going') return `${messages(run.resent)} so far…`
  if (run.resent === 0) return 'Nothing was left to resend.'
  return `We are sending ${messages(run.resent)} now. What fails again is retried for 24 hours.`
}
