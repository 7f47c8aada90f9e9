'use client'

import { useState } from 'react'
import type { Bought } from '../../client/paid-request/purchase'
import { initialSteps, type Step } from '../../client/paid-request/steps'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { later } from '../../ui/later'
import { FlowPicture } from '../frame/flow-picture'
import { SAY, TRY } from './layout'
import { StepList } from './step-list'

/** Pays the sample merchant with a new wallet and shows each step. */
export function TryPayment({ merchantUrl }: { merchantUrl: string }) {
  const [steps, setSteps] = useState(initialSteps)
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const report = (step: Step) => setSteps((before) => before.map((one) => (one.name === step.name ? step : one)))

  async function press() {
    if (run.state === 'running') return
    setSteps(initialSteps)
    setRun({ state: 'running' })
    setRun(await attempt(merchantUrl, report))
  }

  return (
    <div className={TRY}>
      <div className={SAY}>
        <h2>One payment, step by step</h2>
        <p className="text-soft">
          No wallet, no funds, no sign-up: buy today's weather for a tenth of a cent of test money, and see every message.
        </p>
        <button
          type="button"
          className={cx(
            buttonClass({ look: 'primary', size: 'large' }),
            'mt-[0.8rem] min-w-40 justify-center aria-disabled:cursor-progress aria-disabled:saturate-60',
          )}
          onClick={press}
          aria-disabled={run.state === 'running'}
        >
          {LABELS[run.state]}
        </button>
      </div>
      <FlowPicture steps={steps} />
      <StepList steps={steps} />
      <Outcome run={run} />
    </div>
  )
}

const LABELS = { idle: 'Try a payment', running: 'Paying…', paid: 'Pay again', failed: 'Try again' } as const

// Loaded on demand: few visitors use it.
async function attempt(merchantUrl: string, report: (step: Step) => void): Promise<Run> {
  try {
    const { buyOnce } = await import('../../client/paid-request/purchase').catch((cause: unknown) => {
      throw new Error('Part of this page could not be loaded. Reload the page and try again.', { cause })
    })
    const started = performance.now()
    const bought = await buyOnce(merchantUrl, report)
    return { state: 'paid', bought, milliseconds: Math.round(performance.now() - started) }
  } catch (cause) {
    return { state: 'failed', message: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** The progress of a payment. */
type Run =
  | { state: 'idle' | 'running' }
  | { state: 'paid'; bought: Bought; milliseconds: number }
  | { state: 'failed'; message: string }

const END = 'rounded-[10px] px-[1.1rem] py-[0.9rem] text-[0.95rem]'

/** The result: the resource and transaction, or an error with the next step. Empty until then, but there for screen readers. */
function Outcome({ run }: { run: Run }) {
  return (
    <div className="not-has-[p]:-mt-[1.4rem] min-[62rem]:col-span-full">
      <div role="status">{run.state === 'paid' ? <Paid {...run} /> : null}</div>
      <div role="alert">{run.state === 'failed' ? <p className={cx(END, 'bg-bad-wash text-bad')}>{run.message}</p> : null}</div>
    </div>
  )
}

// Loaded after a payment.
const PaidReceipt = later(() => import('./paid-receipt').then((loaded) => loaded.PaidReceipt))

function Paid({ bought, milliseconds }: { bought: Bought; milliseconds: number }) {
  const { price, transaction, resource, receipt } = bought
  return (
    <div
      className={cx(END, 'grid gap-[0.6rem] bg-wash [&_code]:text-[0.82rem] [&_code]:wrap-anywhere [&_code]:whitespace-pre-wrap')}
    >
      <p>
        <strong>{price}</strong>, paid in {milliseconds.toLocaleString('en')} ms, including wallet and test money.
      </p>
      <code>{resource}</code>
      {receipt ? (
        <PaidReceipt receipt={receipt} />
      ) : (
        <p>
          Transaction <code>{transaction}</code>
        </p>
      )}
      <p>
        <a href={`/dashboard/settlements?environment=testnet&search=${transaction}`}>View it as the merchant</a>: sign in as{' '}
        <code>sample-merchant</code>. <a href="#start">Now charge in your own code</a>.
      </p>
    </div>
  )
}
