import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ownPage } from './own-page'

const ORIGIN = 'https://pay.example.com'

/** Where a browser on our sign-in page goes for this text. */
const landsOn = (text: string) => new URL(text, `${ORIGIN}/sign-in`)

describe('after a sign-in', () => {
  test.each([
    ['/dashboard', '/dashboard'],
    ['/dashboard/settlements?status=failed&days=7#top', '/dashboard/settlements?status=failed&days=7#top'],
    [`${ORIGIN}/agent`, '/agent'],
    ['console', '/console'],
    ['/../console', '/console'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/%2F/evil.example', '/%2F/evil.example'],
    ['/%5Cevil.example', '/%5Cevil.example'],
    ['/a//evil.example', '/a//evil.example'],
    ['/search?to=//evil.example', '/search?to=//evil.example'],
    ['/@evil.example', '/@evil.example'],
    ['https:evil.example', '/evil.example'],
    [`${ORIGIN}\\@evil.example`, '/@evil.example'],
    ['/\u2215evil.example', '/%E2%88%95evil.example'],
  ])('%j is our page', (written, path) => {
    expect(ownPage(written, ORIGIN)).toBe(`${ORIGIN}${path}`)
    expect(landsOn(ownPage(written, ORIGIN) ?? '').origin).toBe(ORIGIN)
  })

  test.each([
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '\u0000//evil.example',
    '/\t\\evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    'https://evil.example',
    'https:/\\evil.example',
    'HTTPS://evil.example',
    'http://pay.example.com/dashboard',
    'https://pay.example.com:8443/',
    'https://pay.example.com.evil.example/',
    'https://pay.example.com@evil.example/',
    'https://evil@pay.example.com/',
    'https://evil:secret@pay.example.com/',
    '//\u3002evil.example',
    '//evil\u3002example',
    '//\uff45vil.example',
    '/\u0009/\uff45vil.example',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'JAVASCRIPT:alert(1)//pay.example.com',
    'data:text/html,hi',
    'blob:https://pay.example.com/1',
    'filesystem:https://pay.example.com/1',
    'mailto:a@pay.example.com',
    'file:///etc/passwd',
    'http://[',
    'https://',
    '',
    null,
  ])('%j is not our page', (written) => {
    expect(ownPage(written, ORIGIN)).toBeNull()
  })

  test('no text leads to another site', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '\t',
      '\n',
      '@',
      ':',
      '.',
      '?',
      '#',
      '%09',
      'https',
      'evil.example',
      'pay.example.com',
    )
    const texts = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.array(parts, { maxLength: 8 }).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const page = ownPage(text, ORIGIN)
        if (page !== null) expect([landsOn(page).origin, landsOn(page).href]).toEqual([ORIGIN, page])
      }),
      { numRuns: 2_000 },
    )
  })
})
