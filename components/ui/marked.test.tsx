import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Marked } from './marked'

const shown = (text: string, sought: string) =>
  renderToStaticMarkup(<Marked text={text} sought={sought} />).replaceAll(/<span class="font-semibold">(.*?)<\/span>/g, '[$1]')

test.each([
  ['Weather: all weather', 'weather', '[Weather]: all [weather]'],
  ['no match', 'weather', 'no match'],
  ['A payer signs a voucher', 'voucher payer', 'A [payer] signs a [voucher]'],
  ['A payer signs a voucher', ' sign a ', 'A payer [sign]s a voucher'],
  ['hh ii', 'aa bb cc dd ee ff gg hh ii', '[hh] ii'],
  ['not asked', '', 'not asked'],
  ['İstanbul', 'stan', 'İstanbul'],
  ['i\u0307stanbul', 'İ', '[i\u0307]stanbul'],
])('in %j each %j stands out, as it is written', (text, sought, marked) => expect(shown(text, sought)).toBe(marked))

test('a text of matches alone is marked as one without nesting', () => {
  expect(shown('a'.repeat(20_000), 'a')).toHaveLength(60_000)
})
