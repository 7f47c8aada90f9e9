import { getBase64Encoder } from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isServiceError } from '../base/errors'
import { decodeBase64, standardBase64 } from './encodings'

const encode = (text: string, encoding: 'base64' | 'base64url' = 'base64') => Buffer.from(text, 'utf8').toString(encoding)

function refusalOf(text: string): string {
  try {
    return `passed: ${decodeBase64(text, 'paymentPayload')}`
  } catch (error) {
    if (!isServiceError(error)) throw error
    expect(error.refusal).toBe('bad_request')
    return error.message
  }
}

describe('base64', () => {
  test.each([
    ['standard alphabet', encode('{"a":"ü>?~"}')],
    ['url-safe alphabet', encode('{"a":"ü>?~"}', 'base64url')],
    ['without padding', encode('{"a":"ü>?~"}').replace(/=+$/, '')],
    ['with a newline at its end', `${encode('{"a":"ü>?~"}')}\n`],
  ])('is read in its %s', (_, text) => {
    expect(decodeBase64(text, 'paymentPayload')).toBe('{"a":"ü>?~"}')
  })

  test('gives back any text that can be UTF-8, in each spelling', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => !value.startsWith('\ufeff'))
    fc.assert(
      fc.property(text, fc.constantFrom('base64', 'base64url'), fc.boolean(), (value, encoding, padded) => {
        const encoded = encode(value, encoding)
        expect(decodeBase64(padded ? encoded : encoded.replace(/=+$/, ''), 'x')).toBe(value)
      }),
    )
  })

  test.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['only padding', '=='],
    ['one character', 'A'],
    ['a length that base64 never has', 'AAAAA'],
    ['too much padding', 'AAAA==='],
    ['padding inside', 'AA==AA=='],
    ['a line break inside', 'AAAA\nAAAA'],
    ['another alphabet', 'AA.A'],
    ['JSON', '{"a":1}'],
    ['hex with its prefix and a quote', "0x41'"],
  ])('%s is refused', (_, text) => {
    expect(refusalOf(text)).toBe('paymentPayload is not base64')
  })

  test('of bytes that are not UTF-8 is refused', () => {
    expect(refusalOf(Buffer.from([0xff, 0xfe, 0x80]).toString('base64'))).toBe('paymentPayload is not base64 of UTF-8 text')
    expect(refusalOf(Buffer.from([0xed, 0xa0, 0x80]).toString('base64'))).toBe('paymentPayload is not base64 of UTF-8 text')
  })

  test('for any text, the only error is a bad_request', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof refusalOf(text) === 'string'))
  })
})

describe('the bytes of standard base64', () => {
  test('are read, padded or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.boolean(), (bytes, padded) => {
        const text = Buffer.from(bytes).toString('base64')
        expect(standardBase64(padded ? text : text.replace(/=+$/, ''))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test.each(['', '=', '==', 'A', 'A===', 'AAAAA', 'AA==AA==', '-_-_', 'AAAA\n', ' AAAA', 'AA.A'])(
    'are not those of %j',
    (text) => {
      expect(standardBase64(text)).toBeNull()
    },
  )

  test('are none of what the official decoder refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'AZaz09+/=-_ \n') }), (text) => {
        const bytes = standardBase64(text)
        if (bytes) expect(Uint8Array.from(bytes)).toEqual(Uint8Array.from(getBase64Encoder().encode(text)))
      }),
      { numRuns: 1_000 },
    )
  })
})
