import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isServiceError } from '../base/errors'
import { malformed, parseJson } from './json'

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)
const parse = (text: string) => parseJson(text, 'the body')

/** The error of parsing, or undefined. */
function refusalOf(text: string): string | undefined {
  try {
    parse(text)
    return undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    expect([error.refusal, error.facts.reason]).toEqual(['bad_request', 'invalid_payload'])
    return error.message
  }
}

describe('untrusted JSON', () => {
  test('passes unchanged when it is valid', () => {
    const value = { a: [1, 'two', null, true, { b: 'ünï 🦊 \\ " [ {' }], '': 0, constructor: 'c', toString: -1.5e300 }
    expect(parse(JSON.stringify(value))).toEqual(value)
  })

  test('may be nested 16 levels deep and not 17, with any brackets in its strings', () => {
    expect(refusalOf(nested(16))).toBeUndefined()
    expect(refusalOf(`{"a":"\\"[[[[[[[[[[[[[[[[[[","b":${nested(15)}}`)).toBeUndefined()
    expect(refusalOf(nested(17))).toBe('the body is nested deeper than 16 levels')
    expect(refusalOf('{"a":'.repeat(17) + 1 + '}'.repeat(17))).toBe('the body is nested deeper than 16 levels')
    expect(refusalOf('['.repeat(1_000_000))).toBe('the body is nested deeper than 16 levels')
    expect(refusalOf('['.repeat(8) + ']['.repeat(50_000))).toBe('the body is not valid JSON')
  })

  test.each([
    ['a NUL in a string', '{"a":"x\\u0000y"}', 'holds a NUL character'],
    ['a NUL in a key', '{"x\\u0000":1}', 'holds a NUL character'],
    ['a lone high surrogate', '["\\ud83e"]', 'holds half of a Unicode surrogate pair'],
    ['a lone low surrogate', '["x\\udd8ay"]', 'holds half of a Unicode surrogate pair'],
    ['a lone surrogate in a key', '{"\\udd8a":1}', 'holds half of a Unicode surrogate pair'],
    ['surrogates in the wrong order', '["\\udd8a\\ud83e"]', 'holds half of a Unicode surrogate pair'],
    ['a __proto__ key', '{"a":[{"__proto__":{"admin":true}}]}', 'holds a key named "__proto__"'],
    ['an escaped __proto__ key', '{"\\u005f_proto__":1}', 'holds a key named "__proto__"'],
    ['a number that is too large', '{"a":1e400}', 'holds a number that is too large'],
    ['a number that is too small', '[-1e999]', 'holds a number that is too large'],
    ['a truncated object', '{"a":1', 'is not valid JSON'],
    ['a truncated string', '"abc', 'is not valid JSON'],
    ['two values', '{} {}', 'is not valid JSON'],
    ['NaN', 'NaN', 'is not valid JSON'],
    ['a trailing comma', '[1,]', 'is not valid JSON'],
    ['nothing', '', 'is not valid JSON'],
  ])('with %s is refused', (_, text, fault) => {
    expect(refusalOf(text)).toBe(`the body ${fault}`)
  })

  test('a paired surrogate passes, escaped or not', () => {
    expect(parse('["\\ud83e\\udd8a","🦊"]')).toEqual(['🦊', '🦊'])
  })

  test('any text passes as JSON.parse reads it or is a bad_request', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json({ maxDepth: 20 }), fc.string({ unit: 'binary' })), (text) => {
        if (refusalOf(text) === undefined) expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })
})

test('a malformed payment keeps its cause for the log and its code for the client', () => {
  const cause = new Error('why')
  const error = malformed('no', cause, 'invalid_network')
  expect([error.message, error.cause, error.facts]).toEqual(['no', cause, { reason: 'invalid_network' }])
  expect('cause' in malformed('no')).toBe(false)
})
