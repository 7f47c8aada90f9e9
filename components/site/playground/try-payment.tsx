'use client'

import { useEffect, useRef } from 'react'
import { type Run, usePayment } from '../../client/paid-request/use-payment'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { duration } from '../../ui/figures'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { FlowPicture } from '../frame/flow-picture'
import { SAY, TRY } from './layout'
import { StepList } from './step-list'

/** Pays the sample merchant with a new wallet and shows each step. */
export function TryPayment({ merchantUrl }: { merchantUrl: string }) {
  const { steps, run, press } = usePayment(merchantUrl)
  return (
    <div className={TRY}>
      <div className={SAY}>
        <h2>One payment, step by step</h2>
        <p className="text-soft">
          Buy today's weather for 0.001 USDC of test money and read every message. You need no wallet, no funds and no account.
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
        <p className="grid min-h-13 w-full gap-1 text-[0.95rem]">
          {run.state === 'paid' ? (
            <>
              <a href="#paid">Paid in {duration(run.milliseconds)}: see the receipt</a>
              <code className="truncate text-[0.82rem] text-soft">{run.bought.resource}</code>
            </>
          ) : null}
        </p>
      </div>
      <FlowPicture steps={steps} />
      <StepList steps={steps} />
      <Outcome run={run} settling={steps.find(({ name }) => name === 'pay')?.milliseconds} />
    </div>
  )
}

const LABELS = { idle: 'Pay 0.001 test USDC', running: 'Paying…', paid: 'Pay again', failed: 'Try again' } as const

type OutcomeProps = {
  run: Run
  /** How long the request with the payment took. */
  settling: number | undefined
}

/** The result: the receipt and the resource, or an error with the next step. Empty until then, but there for screen readers. */
function Outcome({ run, ...shown }: OutcomeProps) {
  return (
    <div className="not-has-[p]:-mt-[1.4rem] md:col-span-full">
      <div role="status">{run.state === 'paid' ? <Paid {...run} {...shown} /> : null}</div>
      <div role="alert">
        {run.state === 'failed' ? (
          <p className="rounded-[10px] bg-bad-wash px-[1.1rem] py-[0.9rem] text-[0.95rem] text-bad">{run.message}</p>
        ) : null}
      </div>
    </div>
  )
}

// Loaded after a payment.
const PaidReceipt = later(
  () => import('./paid-receipt').then((loaded) => loaded.PaidReceipt),
  <Skeleton className="mx-auto h-[30rem] w-full max-w-[27rem]" />,
)

const AnswerValues = later(
  () => import('./answer-values').then((loaded) => loaded.AnswerValues),
  <Skeleton className="h-14 w-72" />,
)

type PaidProps = Extract<Run, { state: 'paid' }> & Omit<OutcomeProps, 'run'>

function Paid({ bought, milliseconds, settling }: PaidProps) {
  const { price, transaction, resource, receipt } = bought
  const result = useRef<HTMLDivElement>(null)
  // It appears below the steps, which may fill the screen.
  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    result.current?.scrollIntoView({ block: 'nearest', behavior: still ? 'auto' : 'smooth' })
  }, [])
  return (
    <div
      ref={result}
      id="paid"
      className="grid scroll-my-6 grid-cols-1 gap-x-[clamp(1.6rem,4vw,3.5rem)] gap-y-6 pt-2 text-[0.95rem] min-[62rem]:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]"
    >
      <div className="grid min-w-0 grid-cols-1 gap-4 self-center min-[62rem]:col-start-2">
        <div className="grid grid-cols-1 gap-5 rounded-(--radius) bg-wash px-[1.35rem] py-5">
          <AnswerValues text={resource} />
          <p>
            Bought for <strong>{price}</strong> in {duration(milliseconds)}
            {settling === undefined ? '' : `, of which ${duration(settling)} to verify and settle`}.
          </p>
        </div>
        <p>
          Now in your code: <a href="#start">see the whole server</a>, or{' '}
          <a href={`/dashboard/settlements?environment=testnet&search=${transaction}`}>view it as the merchant</a> (sign in as{' '}
          <code>sample-merchant</code>).
        </p>
      </div>
      <div className="min-[62rem]:row-start-1">
        {receipt ? (
          <PaidReceipt receipt={receipt} />
        ) : (
          <p>
            Transaction <code className="text-[0.82rem] wrap-anywhere">{transaction}</code>
          </p>
        )}
      </div>
    </div>
  )
}
