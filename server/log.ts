import pino from 'pino'

/** One JSON line per event. Callers pass route patterns and ids, never URLs: an API key is part of a path. */
export type Log = pino.Logger

/** A logger that writes to standard output at the given level. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  })
}

/** A logger that says nothing, for tools and tests that read results instead. */
export function silentLog(): Log {
  return pino({ enabled: false })
}

// viem and pg put request bodies and endpoint URLs (which carry provider keys) into messages, so only the short form is kept.
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) }
  const { name, stack } = error
  const code = 'code' in error ? error.code : undefined
  const short = 'shortMessage' in error && typeof error.shortMessage === 'string' ? error.shortMessage : error.message
  const frames = stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 8)
  return {
    name,
    message: scrub(short),
    ...(code === undefined ? {} : { code }),
    ...(frames?.length ? { stack: frames.map((line) => line.trim()) } : {}),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

const URL_PATTERN = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi

/** Text without any URL in it, bounded to 500 characters. */
export function scrub(text: string): string {
  return text.replace(URL_PATTERN, '<url>').slice(0, 500)
}
