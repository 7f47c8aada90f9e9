import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AddButton } from './add-button'

const htmlOf = (full: string | null) => renderToStaticMarkup(<AddButton text="New key" onAdd={() => {}} full={full} />)

test('a full list says in words why it cannot get longer, which needs no pointer', () => {
  expect(htmlOf('You have 20 keys, the maximum.')).toContain('<p class="text-sm text-soft">You have 20 keys, the maximum.</p>')
  expect(htmlOf(null)).not.toMatch(/<p |disabled=""/)
})
