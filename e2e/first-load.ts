import { gzipSync } from 'node:zlib'
import { expect, type Page, type Request } from '@playwright/test'
import { service } from './test-service'

/** A path that no page has. */
export const MISSING = '/no-such-page'

/** The compressed bytes of the scripts that the HTML of a page names. */
export async function scriptBytes(page: Page, path: string): Promise<number> {
  // A browser gets the page's own scripts with its data, where they are no tags. Programs get no data, and tags only; a missing page
  // has no data, and is a page for browsers alone.
  const accept = path === MISSING ? 'text/html' : '*/*'
  const read = async (url: string) => (await page.request.get(`${service().baseUrl}${url}`, { headers: { accept } })).body()
  const tags = String(await read(path)).match(/<script [^>]*src="[^"]+"[^>]*>/g) ?? []
  const modern = tags.filter((tag) => !/nomodule/i.test(tag))
  const urls = new Set(modern.map((tag) => /src="([^"]+)"/.exec(tag)?.[1] ?? ''))
  const sizes = await Promise.all([...urls].map(async (url) => gzipSync(await read(url)).length))
  expect(sizes.length).toBeGreaterThan(0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The HTML of a page as its viewer's browser gets it. */
export async function htmlOf(page: Page, path: string): Promise<string> {
  return (await page.request.get(`${service().baseUrl}${path}`, { headers: { accept: 'text/html' } })).text()
}

type Load = {
  path: string
  /** Expects what the page shows first. */
  shows: () => Promise<unknown>
}

/** Expects a page to load with its figures, so that its scripts ask for none. What it reads again every few seconds does not count. */
export async function expectNothingAsked(page: Page, { path, shows }: Load): Promise<void> {
  const asked: string[] = []
  const note = (request: Request) => {
    // One request may ask for several.
    const [, names = ''] = /\/api\/trpc\/([^?]+)/.exec(request.url()) ?? []
    asked.push(...names.split(',').filter((name) => name !== ''))
  }
  await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }))
  page.on('request', note)
  await page.goto(`${service().baseUrl}${path}`)
  await shows()
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  expect(asked).toEqual([])
}
