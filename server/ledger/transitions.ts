import type pg from 'pg'
import { z } from 'zod'
import type { Log } from '../base/log'
import { jsonOrUndefined } from '../base/upstream'
import { moves, type State } from './states'

/** A settlement's transition, as the database reports it: `from` is null for the claim, which took no time. */
export type Transition = {
  settlementId: string
  network: string
  tier: string
  from: State | null
  to: State
  milliseconds: number
}

/** The listener for transitions, and the log for one that cannot be read. */
type TransitionListener = { onTransition: (transition: Transition) => void; log: Log }

/** The SQLSTATE of the trigger's notices. The process has migrated before, so there is only one. */
const CODE = 'QT002'

const states = z.enum(Object.keys(moves) as [State, ...State[]])
const Notice = z.object({
  settlementId: z.string(),
  network: z.string(),
  tier: z.string(),
  from: states.nullable(),
  to: states,
  milliseconds: z.number(),
})

/**
 * Listens to the transitions that the statements of this pool make. They arrive with the statement's response. One of a statement that
 * failed at its very end arrives too, although it did not happen. An unreadable one is only logged: the transition was made.
 */
export function listenForTransitions(pool: pg.Pool, { onTransition, log }: TransitionListener): void {
  pool.on('connect', (client) => {
    client.on('notice', ({ code, message }) => {
      if (code !== CODE) return
      const notice = Notice.safeParse(jsonOrUndefined(message ?? ''))
      if (notice.success) onTransition(notice.data)
      // Without the message: its content is unknown.
      else
        log.warn(
          { code, wrong: notice.error.issues.map(({ path }) => path.join('.')) },
          'a settlement step from the database cannot be read',
        )
    })
  })
}
