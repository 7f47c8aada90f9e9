import { networkTitle } from '@/server/x402/networks/networks'
import { moneyOn, priceOf } from '../../client/credit-price-text'
import { Problem } from '../../client/problem'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Meter } from '../../ui/meter'
import { StepIcon } from '../../ui/step-mark'
import { type Order, type Progress, type Step, steps } from './use-top-up'

type Props = {
  progress: Exclude<Progress, { state: 'choosing' }>
  order: Order | null
  sendAgain: (header: string) => void
  choose: () => void
}

const TEXTS: Record<Step, { title: string; note: string }> = {
  terms: { title: 'Get the price', note: 'The service answers 402 with its terms.' },
  sign: { title: 'Sign in your wallet', note: 'A transfer of exactly this amount. It expires soon and works once.' },
  settle: {
    title: 'Settle on the network',
    note: 'We send the transaction and wait for it. Keep this open: the response contains your new key.',
  },
}

/** The steps of a purchase and their state. */
export function TopUpSteps({ progress, order, sendAgain, choose }: Props) {
  const now = steps.indexOf(progress.step)
  const stopped = progress.state === 'stopped'
  return (
    <div className="grid gap-5">
      <div className="grid gap-2">
        {order ? (
          <p className="font-medium">
            {moneyOn(order.network, priceOf(order.credits))} on {networkTitle(order.network)} for{' '}
            {order.credits.toLocaleString('en')} credits
          </p>
        ) : null}
        <Meter label="Steps done" value={now} limit={steps.length} alarming={stopped} />
      </div>
      <ol className="grid gap-3" aria-live="polite">
        {steps.map((step, index) => (
          <li key={step} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3">
            <Mark state={index < now ? 'done' : index > now ? 'waiting' : stopped ? 'failed' : 'running'} />
            <span className="grid">
              <span className={cx(index === now && 'font-medium', index > now && 'text-soft')}>{TEXTS[step].title}</span>
              <span className="text-sm text-soft">{TEXTS[step].note}</span>
            </span>
          </li>
        ))}
      </ol>
      {progress.state === 'stopped' ? (
        <>
          <Problem error={progress} />
          {progress.header ? (
            <p className="text-sm text-soft">
              The payment may have succeeded. Resending it is safe: it counts once. Before you start a new purchase, check your
              balance.
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
      Resend
    </Button>
  )
}

const COLORS = { running: 'text-accent', done: 'text-accent', failed: 'text-bad' } as const

function Mark({ state }: { state: keyof typeof COLORS | 'waiting' }) {
  return (
    <span className="grid size-6 place-items-center rounded-full bg-code">
      {state === 'waiting' ? (
        <span aria-hidden className="size-1.5 rounded-full bg-line" />
      ) : (
        <StepIcon state={state} className={COLORS[state]} />
      )}
    </span>
  )
}
