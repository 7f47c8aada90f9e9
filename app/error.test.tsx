import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MissingPath, MissingSearch } from '@/components/site/docs/missing-page'
import Broken from './error'
import BrokenDocument from './global-error'

test('a failed page says what happened, offers a reload, and leads to other pages', () => {
  const page = renderToStaticMarkup(<Broken error={Object.assign(new Error('secret'), { digest: '1234' })} />)
  expect(page).toMatch(/could not be loaded.*Your changes and payments are safe/s)
  expect(page).toContain('Reload</button>')
  expect(page).toContain('Go back</button>')
  expect(page).toContain('href="/docs"')
  expect(page).toContain('1234')
  expect(page).not.toContain('secret')
})

test('a page that does not exist has the line of its path, and a way to the documentation, before scripts run', () => {
  const page = renderToStaticMarkup(
    <>
      <MissingPath />
      <MissingSearch />
    </>,
  )
  expect(page.replace(/<[^>]+>/g, '')).toContain('There is no page at this address')
  expect(page).toContain('href="/docs"')
})

test('a failed layout shows a document of its own, with a reload', () => {
  const page = renderToStaticMarkup(<BrokenDocument error={Object.assign(new Error('secret'), { digest: '1234' })} />)
  expect(page).toMatch(/^<html lang="en"><head><\/head><body>.*could not be loaded.*Reload<\/button>.*1234/s)
  expect(page).not.toContain('secret')
})
