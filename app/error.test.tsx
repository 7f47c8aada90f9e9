import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import Broken from './error'

test('a page that broke says so in words, with what to do', () => {
  const page = renderToStaticMarkup(<Broken />)
  expect(page).toMatch(/could not be loaded.*Nothing that you changed or paid is undone/s)
  expect(page).toContain('Load it again</button>')
})
