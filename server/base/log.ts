import { format, stripVTControlCharacters, types } from 'node:util'
import pino from 'pino'
import { withSourceLines } from './source-lines'

/** One JSON line per event. Callers pass route patterns and ids, never URLs: an API key is part of a path. */
export type Log = pino.Logger

export type LogOptions = {
  /** False only in tests that search the output for secrets. */
  redact?: boolean
  destination?: pino.DestinationStream
}

/** A logger to standard output at this level that removes keys and tokens from every line. */
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

/** A logger without output, for tools and tests. */
export function silentLog(): Log {
  return pino({ enabled: false })
}

// An API key (`qt_`) or a session token (`st_`), percent-encoded or not: 256 bits in base64url.
const KEY = String.raw`(?:[qs]|%[57][13])(?:t|%[57]4)(?:_|%5f)(?:[\w-]|%[0-9a-f]{2}){43,}`
const KEY_PATTERN = new RegExp(KEY, 'i')
// Never matches a quote or a backslash, so that a JSON line stays valid.
// A JWT: two base64url parts that are JSON objects, and a signature. It also takes what stands directly before it. Tried once in a run
// of such characters: "-eyJ" again and again would cost its square.
const JWT = String.raw`(?<![\w-])(?=[\w-]+\.eyJ[\w-]{8,}\.)[\w-]*?eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`
const SECRET_PATTERN = new RegExp(String.raw`${KEY}|${JWT}|\bbearer(?: |%20)+[^\s"\\]+`, 'gi')

/** The line without keys, session tokens, JWTs and bearer tokens. It checks the finished line, so it catches them from any source. */
function redacted(line: string): string {
  return withoutSecrets(line)
}

/** The text without keys, session tokens, JWTs and bearer tokens. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRET_PATTERN, '<secret>')
}

/** Whether the text contains an API key or a session token. */
export function holdsKey(text: string): boolean {
  return KEY_PATTERN.test(text)
}

const CAUSES_MAX = 5

// viem and pg put request bodies and endpoint URLs, which hold provider keys, into messages; only the short form is logged.
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
    ...(frames?.length ? { stack: withSourceLines(frames).map((line) => scrub(line.trim(), REMOTE_URL_PATTERN)) } : {}),
    // An error may be among its own causes.
    ...(error.cause === undefined || depth === CAUSES_MAX ? {} : { cause: describeError(error.cause, depth + 1) }),
  }
}

// A thrown object without a prototype cannot become a text, and must not fail the log line.
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'an error that cannot be printed'
  }
}

// From the first character of a scheme only: a text of schemes that are none would cost its square.
const URL_PATTERN = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S+/gi
// Stack frames name files as URLs; a message line that looks like a frame may name anything.
const REMOTE_URL_PATTERN = /(?<![a-z0-9+.-])(?!file:)[a-z0-9+.-]+:\/\/\S+/gi
// The filter recognises a key by its length, so a key must not be cut in half.
const CUT_KEY_PATTERN = /(?<![\w%-])(?=[\w%-]*$)[\w%-]*?[qs]t(?:_|%5f)[\w%-]*$/i
const TEXT_MAX = 500

/** Text without URLs, at most 500 characters. */
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

/** Turns the console output of Next and packages into log lines, errors with their stack, without URLs and keys. */
export function logConsole(log: Log, target: Pick<Console, keyof typeof LEVELS> = console): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(target, { [method]: (...said: unknown[]) => logSaid(log, level, said) })
  }
}

function logSaid(log: Log, level: (typeof LEVELS)[keyof typeof LEVELS], said: unknown[]): void {
  const err = said.find(types.isNativeError)
  // The log formats errors itself, without the parts that must not be logged.
  const text = stripVTControlCharacters(format(...said.filter((one) => one !== err))).trim()
  if (text || err) log[level]({ ...(text ? { said: scrub(text) } : {}), ...(err ? { err } : {}) }, 'console')
}
