import { describe, expect, test } from 'vitest'
import { createLog, holdsKey, type Log, type LogOptions, scrub, withoutSecrets } from './log'

const KEY = `qt_${'Ab3-_'.repeat(8)}xyz`
const SESSION = KEY.replace('qt_', 'st_')

/** The one line that is written, and what it says. */
function written(say: (log: Log) => void, options: LogOptions = {}): string {
  const lines: string[] = []
  say(createLog('trace', { destination: { write: (line) => lines.push(line) }, ...options }))
  expect(lines).toHaveLength(1)
  return lines.join('')
}

test.each([
  ['fetch https://rpc.example/v2/secret failed', 'fetch <url> failed'],
  ['postgresql://user:password@db:5432/x refused', '<url> refused'],
  ['URL: wss://node/secret\nRequest body', 'URL: <url>\nRequest body'],
  ['nothing to hide: 12', 'nothing to hide: 12'],
])('no address of a provider reaches the log: %j', (text, scrubbed) => {
  expect(scrub(text)).toBe(scrubbed)
})

test('a message of any length takes 500 characters at most', () => {
  expect(scrub('x'.repeat(100_000))).toHaveLength(500)
})

test('half a key is not left where a long message is cut', () => {
  expect(scrub(`${'x'.repeat(470)} ${KEY}`)).not.toContain('qt_')
})

describe('no line contains a key, from any source:', () => {
  const stacked = Object.assign(new Error('why'), { stack: `Error: why\n    at /v1/${KEY}/settle` })
  const ways: [string, (log: Log) => void][] = [
    ['the message', (log) => log.info(`no route for /v1/${KEY}/settle`)],
    ['a field', (log) => log.info({ path: `/v1/${KEY}/settle` }, 'm')],
    ['a nested field', (log) => log.info({ a: [{ b: { c: KEY } }] }, 'm')],
    ['the name of a field', (log) => log.info({ [KEY]: 1 }, 'm')],
    ['a child logger', (log) => log.child({ key: KEY }).info('m')],
    ['the message of an error', (log) => log.error({ err: new Error(`bad ${KEY}`) }, 'm')],
    ['an error without a message of ours', (log) => log.error({ err: new Error(`bad ${KEY}`) })],
    ['an error under another name', (log) => log.error({ why: new Error(KEY), key: KEY }, 'm')],
    ['the code of an error', (log) => log.error({ err: Object.assign(new Error('x'), { code: KEY }) }, 'm')],
    ['the stack of an error', (log) => log.error({ err: stacked }, 'm')],
    ['the cause of an error', (log) => log.error({ err: new Error('x', { cause: new Error(KEY) }) }, 'm')],
    ['a thrown text', (log) => log.error({ err: KEY }, 'm')],
    ['an escaped line break before it', (log) => log.info(`path:\n${KEY}\n`)],
    ['percent-encoding', (log) => log.info(KEY.replace('_', '%5F'))],
    ['percent-encoding of every character', (log) => log.info(encodeAll(KEY))],
  ]
  test.each(ways)('%s', (_, say) => {
    const line = written(say)
    expect(line).not.toMatch(/qt_|%71|Ab3/i)
    expect(JSON.stringify(JSON.parse(line))).toContain('<secret>')
  })
})

test('no line contains session tokens or bearer tokens', () => {
  const line = written((log) => log.info({ cookie: SESSION, headers: { authorization: 'Bearer abc.def+/=' } }, 'bearer "x"'))
  expect(JSON.parse(line)).toMatchObject({ cookie: '<secret>', headers: { authorization: '<secret>' } })
})

const JWT = `eyJ${'aZ-_'.repeat(4)}.eyJ${'bY09'.repeat(4)}.c2ln`

test.each([
  ['alone', JWT, '<secret>'],
  ['in a query', `?token=${JWT}&a=1`, '?token=<secret>&a=1'],
  ['directly behind other characters', `x-${JWT} y`, '<secret> y'],
  ['behind one that is cut', `eyJaaaaaaaaa.eyJshort ${JWT}`, 'eyJaaaaaaaaa.eyJshort <secret>'],
  ['behind a dot', `a.${JWT}`, 'a.<secret>'],
  ['without a signature', JWT.slice(0, -4), '<secret>'],
])('a JWT is masked %s', (_, text, masked) => {
  expect(withoutSecrets(text)).toBe(masked)
})

test('what is public stays readable: hashes, ids, patterns of routes', () => {
  const facts = { hash: `0x${'ab'.repeat(32)}`, route: '/v1/:key/settle', requestId: '0197f3a2-aaaa-7bbb-8ccc-0123456789ab' }
  expect(JSON.parse(written((log) => log.info(facts, 'request')))).toMatchObject({ ...facts, msg: 'request' })
})

test('a line of a message that looks like a stack frame shows no address', () => {
  const line = written((log) => log.error({ err: new Error('x\n  at https://rpc.example/v2/secret') }, 'm'))
  expect(line).not.toContain('rpc.example')
  expect(line).toContain('log.test.ts')
})

test.each([
  ['an object that cannot be printed', Object.create(null)],
  ['an error that is its own cause', own()],
])('any thrown value can be logged: %s', (_, error) => {
  expect(JSON.parse(written((log) => log.error({ err: error }, 'm')))).toMatchObject({ msg: 'm', err: {} })
})

test('tests may look at what would have been written', () => {
  expect(written((log) => log.info(KEY), { redact: false })).toContain(KEY)
})

test('a key is known by its form, plain or encoded', () => {
  expect([KEY, SESSION, `/x/${KEY}/y`, KEY.replace('_', '%5f'), encodeAll(KEY)].map(holdsKey)).not.toContain(false)
  expect(['', 'qt_short', 'home', KEY.slice(0, -1), 'a'.repeat(50)].map(holdsKey)).not.toContain(true)
})

function encodeAll(text: string): string {
  return [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
}

function own(): Error {
  const error = new Error('x')
  error.cause = error
  return error
}
