/** The steps of one paid request, in order. */
const stepNames = ['fund', 'ask', 'sign', 'pay', 'receive'] as const

export type StepName = (typeof stepNames)[number]

/** A sent or received message: its name and its text. */
export type Part = { name: string; text: string }

/** The messages of a step, in one line and in full. */
export type StepMessages = { line: string; parts: Part[] }

/** The state of a step; its duration is known at its end. */
export type Step = {
  name: StepName
  state: 'waiting' | 'running' | 'done' | 'failed'
  milliseconds?: number | undefined
  messages?: StepMessages | undefined
}

/** All steps before the start. */
export const initialSteps: Step[] = stepNames.map((name) => ({ name, state: 'waiting' }))
