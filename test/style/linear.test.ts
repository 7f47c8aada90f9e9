import { describe, expect, test } from 'vitest'
import { attacksOn, patternsIn, repeated, servedSources, superlinear } from './linear'

/** Patterns that read no long text of a stranger, and what they read. */
const EXEMPT: Readonly<Record<string, string>> = {
  '\\/+$': 'a URL of the configuration',
  '0+$': 'the digits of an amount, 78 at most',
}

/** How a pattern reads text: it finds its first match, or all of them. */
const reading = (pattern: RegExp) => (text: string) => {
  pattern.lastIndex = 0
  return pattern.global ? text.replace(pattern, '') : pattern.exec(text)
}

/** The first attack that works, with its times; an exponential pattern takes long for each. */
function faultOf(pattern: RegExp): string | undefined {
  for (const attack of attacksOn(pattern)) {
    const [fault] = superlinear(reading(pattern), [attack])
    if (fault) return fault
  }
  return undefined
}

describe('a regular expression of ours', () => {
  const { literals, built } = patternsIn(servedSources())
  const distinct = [...new Map(literals.map((one) => [String(one.pattern), one])).values()]

  test('costs at most eight times as much for four times the text', () => {
    expect(distinct.length).toBeGreaterThan(150)
    const faults = distinct.flatMap(({ pattern, at }) => {
      const fault = pattern.source in EXEMPT ? undefined : faultOf(pattern)
      return fault ? [`${at} ${pattern} ${fault}`] : []
    })
    expect(faults).toEqual([])
  })

  test('is a literal, or stands in a file that is known here', () => {
    // Tests of their functions attack the first three (linear.readers.test.ts); the others read no long text of a stranger.
    const known = [
      'server/base/log.ts',
      'server/sign-in/messages.ts',
      'server/discovery/bazaar.ts',
      'server/sums/listed-places.ts',
    ]
    const others = ['server/base/source-lines.ts', 'server/chains/url-mask.ts']
    const pages = ['components/ui/code/light.tsx']
    expect(built.toSorted()).toEqual([...known, ...others, ...pages].toSorted())
  })

  test('is exempt only while it exists', () => {
    const sources = new Set(distinct.map(({ pattern }) => pattern.source))
    expect(Object.keys(EXEMPT).filter((source) => !sources.has(source))).toEqual([])
  })
})

describe('the check finds', () => {
  test.each([
    /=+$/,
    /%.*$/,
    /\s+$/,
    /(?:a+)+$/,
    /^(\w+,?)*$/,
    /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/gi,
    /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi,
    /[qs]t(?:_|%5f)[\w%-]*$/i,
    /(?=[\w~+/=.-]*\d)[\w~+/=.-]{20,}/g,
    /<!--.*-->/,
  ])('%s', (pattern) => {
    expect(faultOf(pattern)).toMatch(/ ms$/)
  })

  test('no linear pattern', () => {
    expect([/={1,2}$/, /^[a-z]+=?$/, /\r?\n/g, /[\s,]+/g].map(faultOf)).toEqual(Array(4).fill(undefined))
  })

  test('a function that looks at the whole text at each of its blanks', () => {
    const read = (text: string) => Array.from(text, (char) => char === ' ' && text.split('').join('').includes('ab'))
    expect(superlinear(read, [repeated(' ', 'a')])).toHaveLength(1)
  })
})
