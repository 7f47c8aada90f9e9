import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static'

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' }

/** The HTML of a page whose parts may load something first, such as the colors of programs. */
export async function htmlOf(page: ReactNode): Promise<string> {
  const { prelude } = await prerender(page)
  return (await new Response(prelude).text()).replaceAll('<!-- -->', '')
}

/** The copyable snippets of a page, by caption. */
export async function snippetsIn(page: ReactNode): Promise<Map<string, string>> {
  return snippetsOf(await htmlOf(page))
}

function snippetsOf(html: string): Map<string, string> {
  const figures = html.matchAll(/<figcaption[^>]*>(.*?)<button.*?<code>(.*?)<\/code>/gs)
  return new Map([...figures].map(([, name = '', code = '']) => [plain(name), plain(code)]))
}

const plain = (html: string): string => html.replace(/<[^>]+>/g, '').replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity)
