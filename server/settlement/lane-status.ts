import type { Log } from '../log'

/** Why a lane can or cannot take work. */
export type LaneStatus =
  | 'starting'
  | 'ready'
  | 'stuck'
  | 'leased elsewhere'
  | 'wrong chain'
  | 'quarantined'
  | 'low balance'
  | 'stopped'

const UNWELL: ReadonlySet<LaneStatus> = new Set(['wrong chain', 'quarantined', 'low balance'])

/** Writes a change of a lane's status to the log, louder when somebody should look. */
export function logStatus(
  log: Log,
  lane: Record<'network' | 'address', string> & Record<string, string>,
  from: LaneStatus,
  to: LaneStatus,
): void {
  if (from === to) return
  if (UNWELL.has(to)) log.warn({ ...lane, from, to }, 'lane')
  else log.info({ ...lane, from, to }, 'lane')
}
