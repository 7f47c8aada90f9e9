import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLog, logConsole } from './log'

let spoken: Console
let lines: string[]
let printed: string
beforeEach(() => {
  lines = []
  printed = ''
  const stream = new Writable({
    write(piece, _encoding, done) {
      printed += piece
      done()
    },
  })
  spoken = new Console(stream, stream)
  logConsole(createLog('trace', { destination: { write: (line) => lines.push(line) } }), spoken)
})

const logged = () => lines.map((line) => JSON.parse(line))

describe('console output', () => {
  test('is one line of the log at its level, in any form, and is printed nowhere else', () => {
    spoken.log('\x1b[32m✓\x1b[0m %s in %d ms', 'ready', 12)
    spoken.warn('two\nlines')
    spoken.error('⨯', { digest: '12' })
    spoken.debug('detail')
    spoken.table([{ a: 1 }])
    spoken.assert(false, 'never')
    spoken.trace('from here')
    expect(logged().map(({ level, said, msg }) => [level, said.split('\n')[0], msg])).toEqual([
      ['info', '✓ ready in 12 ms', 'console'],
      ['warn', 'two', 'console'],
      ['error', "⨯ { digest: '12' }", 'console'],
      ['debug', 'detail', 'console'],
      ['info', expect.stringMatching(/^┌/), 'console'],
      ['warn', 'Assertion failed: never', 'console'],
      ['error', 'Trace: from here', 'console'],
    ])
    expect(printed).toBe('')
  })

  test('keeps an error with its stack and its cause', () => {
    spoken.error('⨯', new Error('the page broke', { cause: new Error('no rows') }))
    const err = { message: 'the page broke', stack: expect.any(Array), cause: expect.objectContaining({ message: 'no rows' }) }
    expect(logged()).toMatchObject([{ level: 'error', said: '⨯', err }])
  })

  test('logs no URL and no key', () => {
    const key = `qt_${'Ab3-_'.repeat(8)}xyz`
    spoken.error(`no image at /v1/${key}/x`, new Error('GET https://node.example/secret failed'))
    spoken.warn('postgres://user:password@db/x is away')
    expect(lines.join()).not.toMatch(/qt_|Ab3|secret failed|password/)
  })

  test('is no line where nothing is said', () => {
    spoken.log()
    spoken.log('')
    expect(lines).toEqual([])
  })
})
