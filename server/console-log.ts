import { format, stripVTControlCharacters, types } from 'node:util'
import { type Log, scrub } from './log'

const LEVELS = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  dir: 'info',
  warn: 'warn',
  error: 'error',
} as const satisfies Partial<Record<keyof Console, keyof Log>>

/** From here on whatever Next and packages say on the console is a line of the log, errors with their stack, nothing with a URL or a key. */
export function logConsole(log: Log, target: Pick<Console, keyof typeof LEVELS> = console): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(target, { [method]: (...said: unknown[]) => tell(log, level, said) })
  }
}

function tell(log: Log, level: (typeof LEVELS)[keyof typeof LEVELS], said: unknown[]): void {
  const err = said.find(types.isNativeError)
  // The log has a form of its own for an error, without what its message must not tell.
  const words = stripVTControlCharacters(format(...said.filter((one) => one !== err))).trim()
  if (words || err) log[level]({ ...(words ? { said: scrub(words) } : {}), ...(err ? { err } : {}) }, 'console')
}
