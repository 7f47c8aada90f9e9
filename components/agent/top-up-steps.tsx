import { Check, LoaderCircle, X } from 'lucide-react'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { Problem } from '../ui/panel'
import { type Progress, type Step, steps } from './use-top-up'

type Props = {
  progress: Exclude<Progress, { state: 'choosing' }>
  sendAgain: (header: string) => void
  choose: () => void
}

const WORDS: Record<Step, { title: string; note: string }> = {
  terms: { title: 'Ask what it costs', note: 'The service answers 402 with its terms.' },
  sign: { title: 'Sign in your wallet', note: 'A transfer of exactly this amount, good for a short while and for one use.' },
  settle: {
    title: 'Settle on the network',
    note: 'The transaction is sent and waited for. Leave this open: your key comes with the answer.',
  },
}

/** A purchase under way: what is done, what goes on, and where it stopped. */
export function TopUpSteps({ progress, sendAgain, choose }: Props) {
  const now = steps.indexOf(progress.step)
  const stopped = progress.state === 'stopped'
  return (
    <div className="grid gap-5">
      <ol className="grid gap-3" aria-live="polite">
        {steps.map((step, index) => (
          <li key={step} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3">
            <Mark state={index < now ? 'done' : index > now ? 'waiting' : stopped ? 'stopped' : 'going'} />
            <span className="grid">
              <span className={cx(index === now && 'font-medium', index > now && 'text-soft')}>{WORDS[step].title}</span>
              <span className="text-[0.8125rem] text-soft">{WORDS[step].note}</span>
            </span>
          </li>
        ))}
      </ol>
      {progress.state === 'stopped' ? (
        <>
          <Problem error={progress} />
          {progress.header ? (
            <p className="m-0 text-[0.8125rem] text-soft">
              Whether the payment was made is not known. Sending it again is safe: it is taken once. Do not buy anew before your
              balance shows that it was not.
            </p>
          ) : null}
          <div className="flex justify-end gap-2">
            <Button onClick={choose}>Back</Button>
            <Again header={progress.header} onSend={sendAgain} />
          </div>
        </>
      ) : null}
    </div>
  )
}

function Again({ header, onSend }: { header: string | null; onSend: (header: string) => void }) {
  if (!header) return null
  return (
    <Button look="primary" onClick={() => onSend(header)}>
      Send it again
    </Button>
  )
}

const MARKS = {
  done: <Check aria-label="done" className="size-4 text-accent" />,
  going: <LoaderCircle aria-label="going on" className="size-4 text-accent motion-safe:animate-spin" />,
  stopped: <X aria-label="stopped" className="size-4 text-bad" />,
  waiting: <span aria-hidden className="size-1.5 rounded-full bg-line" />,
} as const

function Mark({ state }: { state: keyof typeof MARKS }) {
  return <span className="grid size-6 place-items-center rounded-full bg-code">{MARKS[state]}</span>
}
