/** A resource of the catalog in an environment. */
type Listed = { id: string; url: string; environment: string }

/** The URL of calls without its query, and the resource that it counts for in an environment; of a tool, only calls that name it. */
export type ListedPlace = { base: string; environment: string; id: string; tool: string | null }

/** The resource of each URL: the one at exactly that URL, or else the first whose route template fits. */
export function placesOf(bases: readonly string[], exact: readonly Listed[], templates: readonly Listed[]): ListedPlace[] {
  const patterns = templates.map((listed) => ({ ...listed, pattern: patternOf(listed.url) }))
  return bases.flatMap((base) => {
    const url = URL.canParse(base) ? new URL(base) : null
    if (!url) return []
    const same = exact.filter((listed) => listed.url === url.href)
    const fitting = patterns.filter(({ pattern }) => pattern.test(url.href))
    const first = new Map([...same, ...fitting].reverse().map(({ environment, id }) => [environment, id]))
    return [...first].map(([environment, id]) => ({ base, environment, id, tool: null }))
  })
}

/** The tools at each URL: theirs ends with # and their name. */
export function toolPlacesOf(bases: readonly string[], tools: readonly Listed[]): ListedPlace[] {
  return bases.flatMap((base) => {
    const start = URL.canParse(base) ? `${new URL(base).href}#` : null
    const own = start === null ? [] : tools.filter(({ url }) => url.startsWith(start))
    return own.map(({ id, url, environment }) => ({ base, environment, id, tool: decodeURIComponent(url.slice(start?.length)) }))
  })
}

// A segment such as `:id` stands for any one segment.
function patternOf(url: string): RegExp {
  const scheme = /^https?:\/\//.exec(url)?.[0] ?? ''
  const segments = url.slice(scheme.length).split('/')
  const written = segments.map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')))
  return new RegExp(`^${scheme}${written.join('/')}$`)
}
