/** What happens while one request is paid, in order. */
const stepNames = ['fund', 'ask', 'sign', 'pay', 'receive'] as const

export type StepName = (typeof stepNames)[number]

/** Something that was sent or got: what it is, and headers or JSON as text. */
export type Part = { name: string; text: string }

/** What a step sent and got, in a line and in full. */
export type Sight = { line: string; parts: Part[] }

/** How far a step is; how long it took is known when it is over. */
export type Step = {
  name: StepName
  state: 'waiting' | 'going' | 'done' | 'stopped'
  milliseconds?: number | undefined
  sight?: Sight | undefined
}

/** All steps before anything happened. */
export const noneYet: Step[] = stepNames.map((name) => ({ name, state: 'waiting' }))
