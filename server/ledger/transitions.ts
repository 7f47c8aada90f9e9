import type pg from 'pg'
import { z } from 'zod'
import type { Log } from '../log'
import { jsonOrUndefined } from '../upstream'
import { moves, type State } from './states'

/** A step that a settlement took, as the database tells it: `from` is null for the claim, which took no time. */
export type Transition = {
  settlementId: string
  network: string
  tier: string
  from: State | null
  to: State
  milliseconds: number
}

/** The listener for transitions, and the log for one that cannot be read. */
export type TransitionListener = { hear: (move: Transition) => void; log: Log }

/** The code under which the trigger of settlements sends a transition. The process has migrated by then, so there is no other one. */
const CODE = 'QT002'

const states = z.enum(Object.keys(moves) as [State, ...State[]])
const Told = z.object({
  ...{ settlementId: z.string(), network: z.string(), tier: z.string() },
  ...{ from: states.nullable(), to: states, milliseconds: z.number() },
})

/**
 * Hears the moves that the statements of this pool make. They come with the answer of the statement, without a trip of their own; one
 * of a statement that failed at its very end is heard too, although it did not happen. What cannot be read is left to the log: the move
 * itself was made.
 */
export function listenForTransitions(pool: pg.Pool, { hear, log }: TransitionListener): void {
  pool.on('connect', (client) => {
    client.on('notice', ({ code, message }) => {
      if (code !== CODE) return
      const told = Told.safeParse(jsonOrUndefined(message ?? ''))
      if (told.success) hear(told.data)
      // Not the message: its content is unknown.
      else log.warn({ code, wrong: told.error.issues.map(({ path }) => path.join('.')) }, 'a step was told that cannot be read')
    })
  })
}
