/** Anchors of the former single page, and where their text is now. */
const MOVED: Record<string, string> = {
  start: '/docs/settlement#urls',
  authentication: '/docs/authentication',
  networks: '/docs/networks',
  limits: '/docs/limits',
  examples: '/docs/quickstart',
  merchants: '/docs/merchants',
  webhooks: '/docs/webhooks',
  agents: '/docs/payers-and-agents#agents',
  headers: '/docs/headers',
  errors: '/docs/errors',
  reasons: '/docs/errors#reasons',
  objects: '/docs/api/objects',
}

/** The new address of an anchor of the former single page; null for an unknown one. `routes` has the page of each route. */
export function newAddressOf(anchor: string, routes: Readonly<Record<string, string>>): string | null {
  if (Object.hasOwn(MOVED, anchor)) return MOVED[anchor] ?? null
  if (Object.hasOwn(routes, anchor)) return `${routes[anchor]}#${anchor}`
  if (!/^[\w-]+$/.test(anchor)) return null
  if (anchor.startsWith('reason-')) return `/docs/errors#${anchor}`
  if (anchor.startsWith('header-')) return `/docs/headers#${anchor}`
  if (anchor.startsWith('schema-')) return `/docs/api/objects#${anchor}`
  return anchor.startsWith('tag-') ? `/docs/api/${anchor.slice('tag-'.length)}` : null
}
