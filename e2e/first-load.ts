import { gzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { service } from './test-service'

/** The compressed bytes of the scripts that the HTML of a page names. */
export async function scriptBytes(page: Page, path: string): Promise<number> {
  // A browser gets the page's own scripts with its data, where they are no tags. Programs get no data, and tags only.
  const read = async (url: string) =>
    (await page.request.get(`${service().baseUrl}${url}`, { headers: { accept: '*/*' } })).body()
  const tags = String(await read(path)).match(/<script [^>]*src="[^"]+"[^>]*>/g) ?? []
  const modern = tags.filter((tag) => !/nomodule/i.test(tag))
  const urls = new Set(modern.map((tag) => /src="([^"]+)"/.exec(tag)?.[1] ?? ''))
  const sizes = await Promise.all([...urls].map(async (url) => gzipSync(await read(url)).length))
  expect(sizes.length).toBeGreaterThan(0)
  return sizes.reduce((sum, size) => sum + size, 0)
}
