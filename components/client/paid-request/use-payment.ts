'use client'

import { useState } from 'react'
import type { Bought } from './purchase'
import { initialSteps, type Step } from './steps'

/** The progress of a payment. */
export type Run =
  | { state: 'idle' | 'running' }
  | { state: 'paid'; bought: Bought; milliseconds: number }
  | { state: 'failed'; message: string }

/** Pays the sample merchant at a URL with a new wallet, once per press: its steps and its outcome. */
export function usePayment(merchantUrl: string) {
  const [steps, setSteps] = useState(initialSteps)
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const report = (step: Step) => setSteps((before) => before.map((one) => (one.name === step.name ? step : one)))
  async function press() {
    if (run.state === 'running') return
    setSteps(initialSteps)
    setRun({ state: 'running' })
    setRun(await attempt(merchantUrl, report))
  }
  return { steps, run, press }
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
