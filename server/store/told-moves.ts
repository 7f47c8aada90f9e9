import type pg from 'pg'
import { z } from 'zod'
import { moves, type State } from './states'

/** A step that a settlement took, as the database tells it: `from` is null for the claim, which took no time. */
export type ToldMove = {
  settlementId: string
  network: string
  tier: string
  from: State | null
  to: State
  milliseconds: number
}

/** The code under which the trigger of settlements tells a move. The process has migrated by then, so no other one is told. */
const CODE = 'QT002'

const states = z.enum(Object.keys(moves) as [State, ...State[]])
const Told = z.object({
  ...{ settlementId: z.string(), network: z.string(), tier: z.string() },
  ...{ from: states.nullable(), to: states, milliseconds: z.number() },
})

/**
 * Hears the moves that the statements of this pool make. They come with the answer of the statement, without a trip of their own; one
 * of a statement that failed at its very end is heard too, although it did not happen.
 */
export function hearMoves(pool: pg.Pool, hear: (move: ToldMove) => void): void {
  pool.on('connect', (client) => {
    client.on('notice', ({ code, message }) => {
      if (code === CODE && message) hear(Told.parse(JSON.parse(message)))
    })
  })
}
