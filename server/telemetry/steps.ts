import type { Log } from '../log'
import type { ToldMove } from '../store/told-moves'

/** Writes one line for every step of a settlement, with the milliseconds that it was in the state before. */
export function stepLog(log: Log): (move: ToldMove) => void {
  return (move) => log.info(move, 'step')
}
