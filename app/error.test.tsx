import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import Broken from './error'

test('a failed page says so and offers a reload', () => {
  const page = renderToStaticMarkup(<Broken />)
  expect(page).toMatch(/could not be loaded.*Your changes and payments are safe/s)
  expect(page).toContain('Reload</button>')
})
