'use client'

import { useState } from 'react'
import { Outcome, type Run } from './outcome'
import { StepList } from './step-list'
import { noneYet, type Step } from './steps'

/** Pays the sample merchant of a local world with a wallet made for it, and shows what happens meanwhile. */
export function TryPayment({ shop }: { shop: string }) {
  const [steps, setSteps] = useState(noneYet)
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const tell = (step: Step) => setSteps((before) => before.map((one) => (one.name === step.name ? step : one)))

  async function press() {
    if (run.state === 'going') return
    setSteps(noneYet)
    setRun({ state: 'going' })
    setRun(await attempt(shop, tell))
  }

  return (
    <div className="try">
      <div className="say">
        <h2>Try a payment</h2>
        <p className="muted">
          No wallet, no funds, no sign-up: buy today’s weather from a sample merchant for a tenth of a cent of test money, and see
          what is sent and got.
        </p>
        <button type="button" className="button" onClick={press} aria-disabled={run.state === 'going'}>
          {LABELS[run.state]}
        </button>
      </div>
      <StepList steps={steps} />
      <Outcome run={run} />
    </div>
  )
}

const LABELS = { idle: 'Try a payment', going: 'Paying…', paid: 'Pay once more', stopped: 'Try again' } as const

// What signs is loaded when it is asked for: few visitors of the page do.
async function attempt(shop: string, tell: (step: Step) => void): Promise<Run> {
  try {
    const { buyOnce } = await import('./purchase').catch((cause: unknown) => {
      throw new Error('A part of this page could not be loaded. Reload the page and try again.', { cause })
    })
    const started = performance.now()
    const bought = await buyOnce(shop, tell)
    return { state: 'paid', bought, milliseconds: Math.round(performance.now() - started) }
  } catch (cause) {
    return { state: 'stopped', message: cause instanceof Error ? cause.message : String(cause) }
  }
}
