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

/** Page names that readers type for the quick start. */
const QUICK_START: ReadonlySet<string> = new Set(['start', 'quick-start', 'get-started', 'getting-started', 'examples'])

/** The address that a name of no page stands for; null for an unknown one. */
export function newPageOf(name: string): string | null {
  if (QUICK_START.has(name)) return '/docs/quickstart'
  return Object.hasOwn(MOVED, name) ? (MOVED[name] ?? null) : null
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
