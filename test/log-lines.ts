import pino from 'pino'
import type { Log } from '../server/log'

/** A log that keeps every line it is told, of every level, as it would be written. */
export function keepLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  return { log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }), lines }
}
