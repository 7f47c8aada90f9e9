'use client'

import { useEffect, useRef, useState } from 'react'
import { type Run, usePayment } from '../../client/paid-request/use-payment'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { FlowPicture } from '../frame/flow-picture'
import { SAY, TRY } from './layout'
import { StepList } from './step-list'

/** Pays the sample merchant with a new wallet and shows each step. */
export function TryPayment() {
  const { steps, run, press } = usePayment()
  // A payment that began elsewhere leaves the reader there.
  const [pressed, setPressed] = useState(false)
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
            'mt-[0.8rem] min-w-40 aria-disabled:cursor-progress aria-disabled:saturate-60',
          )}
          onClick={() => {
            setPressed(true)
            void press()
          }}
          aria-disabled={run.state === 'running'}
        >
          {LABELS[run.state]}
        </button>
        <div role="alert" className="w-full">
          {run.state === 'failed' ? (
            <p className="rounded-[10px] bg-bad-wash px-[1.1rem] py-[0.9rem] text-[0.95rem] text-bad">{run.message}</p>
          ) : null}
        </div>
      </div>
      <div role="status" className="empty:absolute md:col-start-1 md:row-start-2 min-[62rem]:col-start-2 min-[62rem]:row-start-3">
        {run.state === 'paid' ? <Paid {...run} inView={pressed} /> : null}
      </div>
      {run.state === 'paid' ? <Proof {...run.bought} /> : <FlowPicture steps={steps} />}
      <StepList steps={steps} />
    </div>
  )
}

const LABELS = { idle: 'Pay 0.001 test USDC', running: 'Paying…', paid: 'Pay again', failed: 'Try again' } as const

// Loaded after a payment.
const PaidReceipt = later(
  () => import('./paid-receipt').then((loaded) => loaded.PaidReceipt),
  <Skeleton className="mx-auto h-[35rem] w-full max-w-[27rem]" />,
)

const AnswerValues = later(
  () => import('./answer-values').then((loaded) => loaded.AnswerValues),
  <Skeleton className="h-14 w-full max-w-72" />,
)

type PaidProps = Extract<Run, { state: 'paid' }> & { inView: boolean }

/** What was bought, and what to do next: below the button, or below the steps on a wide screen. */
function Paid({ bought: { price, transaction, resource }, milliseconds, inView }: PaidProps) {
  const result = useRef<HTMLDivElement>(null)
  // The steps may fill the screen.
  useEffect(() => {
    if (!inView) return
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    result.current?.scrollIntoView({ block: 'nearest', behavior: still ? 'auto' : 'smooth' })
  }, [inView])
  return (
    <div ref={result} className="grid scroll-my-6 grid-cols-1 gap-4 text-[0.95rem]">
      <div className="grid grid-cols-1 gap-5 rounded-(--radius) bg-wash px-[1.35rem] py-5">
        <AnswerValues text={resource} />
        <p>
          Bought for <strong>{price}</strong> in {milliseconds.toLocaleString('en')} ms.
        </p>
      </div>
      <p>
        Now in your code: <a href="#start">see the whole server</a>, or{' '}
        <a href={`/dashboard/settlements?environment=testnet&search=${transaction}`}>view it as the merchant</a> (sign in as{' '}
        <code>sample-merchant</code>).
      </p>
    </div>
  )
}

/** The receipt in the place of the picture, which has ended; without one, the transaction. */
function Proof({ receipt, transaction }: PaidProps['bought']) {
  return (
    <div className="min-w-0 self-start text-[0.95rem] md:col-start-2 md:row-span-2 md:row-start-1 min-[62rem]:col-start-1 min-[62rem]:row-start-2">
      {receipt ? (
        <PaidReceipt receipt={receipt} />
      ) : (
        <p>
          Transaction <code className="text-[0.82rem] wrap-anywhere">{transaction}</code>
        </p>
      )}
    </div>
  )
}
