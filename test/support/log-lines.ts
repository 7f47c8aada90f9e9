import pino from 'pino'
import type { Log } from '../../server/base/log'

/** A log that keeps each line of every level in its written form. */
export function keepLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }), lines }
}
