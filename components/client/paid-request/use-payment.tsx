'use client'

import { createContext, type ReactNode, useContext, useState } from 'react'
import type { Bought } from './purchase'
import { initialSteps, type Step } from './steps'

/** The progress of a payment. */
export type Run =
  | { state: 'idle' | 'running' }
  | { state: 'paid'; bought: Bought; milliseconds: number }
  | { state: 'failed'; message: string }

type Payment = { steps: Step[]; run: Run; press: () => Promise<void> }

const Shown = createContext<Payment | null>(null)

/** Pays the sample merchant, if there is one, with a new wallet, once per press. All parts of a page show the same payment. */
export function TestPayment({ merchantUrl, children }: { merchantUrl: string | null; children: ReactNode }) {
  const [steps, setSteps] = useState(initialSteps)
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const report = (step: Step) => setSteps((before) => before.map((one) => (one.name === step.name ? step : one)))
  async function press() {
    if (merchantUrl === null || run.state === 'running') return
    setSteps(initialSteps)
    setRun({ state: 'running' })
    setRun(await attempt(merchantUrl, report))
  }
  return <Shown value={{ steps, run, press }}>{children}</Shown>
}

/** The page's test payment: its steps, its outcome, and what starts it. Throws outside `TestPayment`. */
export function usePayment(): Payment {
  const payment = useContext(Shown)
  if (payment === null) throw new Error('usePayment needs TestPayment around it')
  return payment
}

// Loaded on demand: few visitors use it.
async function attempt(merchantUrl: string, report: (step: Step) => void): Promise<Run> {
  try {
    const { buyOnce } = await import('./purchase').catch((cause: unknown) => {
      throw new Error('Part of this page could not be loaded. Reload the page and try again.', { cause })
    })
    // The sum of the times that the steps show.
    let milliseconds = 0
    const bought = await buyOnce(merchantUrl, (step) => {
      milliseconds += step.milliseconds ?? 0
      report(step)
    })
    return { state: 'paid', bought, milliseconds }
  } catch (cause) {
    return { state: 'failed', message: cause instanceof Error ? cause.message : String(cause) }
  }
}
