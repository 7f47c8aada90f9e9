import { expect, test } from 'vitest'
import { linearAxis, logAxis } from './axis'
import { baselinesOf } from './labels'
import { drawPicture, type Series } from './picture'

const series: Series[] = [
  {
    name: 'ours',
    points: [
      { parallel: 1, perSecond: 5, p95: 246 },
      { parallel: 256, perSecond: 381.4, p95: 1_696 },
    ],
  },
  { name: 'a <faster> & "other"', points: [{ parallel: 1, perSecond: 4.9, p95: 7_200 }] },
]

/** The names of elements that are not closed in their order, and attributes without quotes. */
function faultsIn(xml: string): string[] {
  const open: string[] = []
  const faults: string[] = []
  for (const [whole, end, name = '', attributes = '', empty] of xml.matchAll(/<(\/?)([a-z]+)([^<>]*?)(\/?)>/gi)) {
    if (!/^(?:\s[\w:-]+="[^"]*")*$/.test(attributes)) faults.push(whole)
    if (end) {
      if (open.pop() !== name) faults.push(whole)
    } else if (!empty) open.push(name)
  }
  const between = xml.replaceAll(/<[^<>]*>/g, '')
  return [...faults, ...open, ...(/[<>]|&(?!amp;|lt;|gt;|quot;)/.exec(between) ?? [])]
}

test('the picture is well-formed and has every series, value and panel, and no script', () => {
  const picture = drawPicture('4 lanes & more', series)
  expect(faultsIn(picture)).toEqual([])
  expect(picture).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/)
  // A line in each panel.
  expect(picture.split('data-series="ours"')).toHaveLength(3)
  expect(picture.split('data-series="a &lt;faster&gt; &amp; &quot;other&quot;"')).toHaveLength(3)
  for (const shown of [
    '#2563eb',
    '>381<',
    '>1,696<',
    '>4.9<',
    '>Settles per second<',
    '>p95 in ms (log scale)<',
    '4 lanes &amp; more',
  ])
    expect(picture).toContain(shown)
  expect(picture).not.toMatch(/<script|NaN|undefined|Infinity/)
})

test('the picture of a single number of payments in flight has numbers everywhere', () => {
  const picture = drawPicture('', [{ name: 'ours', points: [{ parallel: 32, perSecond: 0, p95: 0 }] }])
  expect(picture).not.toMatch(/NaN|Infinity/)
})

test('the check of XML finds what is open or unquoted', () => {
  expect(faultsIn('<svg><g a=1></g><text>a & b</text>')).toEqual(['<g a=1>', 'svg', '&'])
})

test('axes have round gridlines around all values', () => {
  expect(linearAxis(381).ticks).toEqual([0, 100, 200, 300, 400])
  expect(linearAxis(400).placeOf(200)).toBe(0.5)
  expect(logAxis([223, 2_939]).ticks).toEqual([100, 200, 500, 1_000, 2_000, 5_000])
  expect(logAxis([100, 10_000]).placeOf(5_000)).toBeLessThan(1)
})

test('labels of near marks do not overlap and keep the order of the marks', () => {
  const column = [
    { x: 0, y: 200, label: '4.9' },
    { x: 0, y: 199, label: '5.0' },
  ]
  const [lower = 0, upper = 0] = baselinesOf(column, [column], 205)
  expect(lower - upper).toBeGreaterThanOrEqual(10.5)
  expect(lower).toBeLessThan(205)
})
