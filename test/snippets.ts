import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' }

/** The copyable snippets of a page, by caption. */
export function snippetsIn(page: ReactNode): Map<string, string> {
  const figures = renderToStaticMarkup(page).matchAll(/<figcaption>(.*?)<button.*?<code>(.*?)<\/code>/gs)
  return new Map([...figures].map(([, name = '', code = '']) => [name, plain(code)]))
}

const plain = (html: string): string => html.replace(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity)
