import { format, stripVTControlCharacters, types } from 'node:util'
import pino from 'pino'

/** One JSON line per event. Callers pass route patterns and ids, never URLs: an API key is part of a path. */
export type Log = pino.Logger

export type LogOptions = {
  /** False only in tests, which look for secrets in what would have been written. */
  redact?: boolean
  destination?: pino.DestinationStream
}

/** A logger that writes to standard output at the given level, without anything of the form of a key or a token in any line. */
export function createLog(level: string, { redact = true, destination = pino.destination(1) }: LogOptions = {}): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error: unknown) => describeError(error) },
    ...(redact ? { hooks: { streamWrite: redacted } } : {}),
  }
  return pino(options, destination)
}

/** A logger that says nothing, for tools and tests that read results instead. */
export function silentLog(): Log {
  return pino({ enabled: false })
}

// An API key (`qt_`) or a session token (`st_`), percent-encoded or not: 256 bits in base64url.
const KEY = String.raw`(?:[qs]|%[57][13])(?:t|%[57]4)(?:_|%5f)(?:[\w-]|%[0-9a-f]{2}){43,}`
const KEY_PATTERN = new RegExp(KEY, 'i')
// Never takes a quote or a backslash, so a line of JSON stays one.
// A JWT: two parts of base64url that are JSON objects, and a signature.
const JWT = String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`
const SECRET_PATTERN = new RegExp(String.raw`${KEY}|${JWT}|\bbearer(?: |%20)+[^\s"\\]+`, 'gi')

/** The line without keys, session tokens, JWTs and bearer tokens. It looks at the finished line, so it does not matter how they got there. */
function redacted(line: string): string {
  return line.replace(SECRET_PATTERN, '<secret>')
}

/** Whether the text holds something of the form of an API key or a session token. */
export function holdsKey(text: string): boolean {
  return KEY_PATTERN.test(text)
}

const CAUSES_MAX = 5

// viem and pg put request bodies and endpoint URLs (which carry provider keys) into messages, so only the short form is kept.
function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrub(textOf(error)) }
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
    ...(frames?.length ? { stack: frames.map((line) => scrub(line.trim(), REMOTE_URL_PATTERN)) } : {}),
    // an error may be among its own causes
    ...(error.cause === undefined || depth === CAUSES_MAX ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}

// A log line must not fail for what somebody threw: an object without a prototype cannot be made a text.
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'something that cannot be printed'
  }
}

const URL_PATTERN = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi
// Stack frames name files as URLs; a line of a message that looks like a frame may name anything.
const REMOTE_URL_PATTERN = /\b(?!file:)[a-z][a-z0-9+.-]*:\/\/\S+/gi
// The sink knows a key by its length, so half a key must not be what is left of one.
const CUT_KEY_PATTERN = /[qs]t(?:_|%5f)[\w%-]*$/i
const TEXT_MAX = 500

/** Text without any URL in it, bounded to 500 characters. */
export function scrub(text: string, urls = URL_PATTERN): string {
  const clean = text.replace(urls, '<url>')
  return clean.length <= TEXT_MAX ? clean : clean.slice(0, TEXT_MAX).replace(CUT_KEY_PATTERN, '<cut>')
}

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
