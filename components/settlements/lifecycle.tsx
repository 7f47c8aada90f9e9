const NAMES: Record<string, string> = {
  CLAIMED: 'Judged and claimed',
  PREPARED: 'Signed and written down',
  BROADCAST: 'Sent to the network',
  PRECONFIRMED: 'Preconfirmed',
  INCLUDED: 'In a block',
  FINAL: 'Deep enough to be final',
  REJECTED: 'Given up before anything was signed',
  REVERTED: 'Reverted on chain',
  USED_ELSEWHERE: 'Used by another transaction',
  EXPIRED: 'Expired unused',
  UNPAID: 'Not paid: the money left before the block',
  REVERSED: 'Undone by a reorganisation',
}

type Step = { to: string; at: string }

/** What happened to a settlement, and how long each step took. */
export function Lifecycle({ steps }: { steps: Step[] }) {
  return (
    <section aria-label="Lifecycle" className="grid gap-2">
      <h3 className="m-0 font-medium">Lifecycle</h3>
      <ol className="grid">
        {steps.map(({ to, at }, index) => (
          <li key={`${to} ${at}`} className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-3 pb-3 last:pb-0">
            <span aria-hidden className="relative grid h-full justify-items-center">
              <span className="mt-1.5 size-2 rounded-full bg-accent" />
              {index < steps.length - 1 ? <span className="absolute top-4 -bottom-2 w-px bg-line" /> : null}
            </span>
            <span>{NAMES[to] ?? to.toLowerCase()}</span>
            <span className="text-[0.8125rem] text-soft tabular-nums" title={at}>
              {took(steps[index - 1], at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function took(before: Step | undefined, at: string): string {
  if (!before) return new Date(at).toLocaleTimeString()
  const milliseconds = Date.parse(at) - Date.parse(before.at)
  return milliseconds < 10_000
    ? `+ ${milliseconds.toLocaleString('en')} ms`
    : `+ ${(milliseconds / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`
}
