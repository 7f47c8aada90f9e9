import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { countedText, ListSummary } from './list-summary'

test('a number of things is in the singular for exactly one', () => {
  expect([countedText(1, 'key'), countedText(1_204, 'key'), countedText(0, 'delivery', { many: 'deliveries' })]).toEqual([
    '1 key',
    '1,204 keys',
    '0 deliveries',
  ])
  expect(countedText(1, 'key', { more: true })).toBe('1+ keys')
})

test('the parts of a summary that are known have dots between them', () => {
  const html = renderToStaticMarkup(<ListSummary parts={['3 keys', null, '12 settled']} />)
  expect(html).toContain('>3 keys · 12 settled<')
  expect(renderToStaticMarkup(<ListSummary parts={null} />)).toMatch(/><\/p>$/)
})
