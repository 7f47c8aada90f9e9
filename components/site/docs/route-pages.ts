import type { Chapter } from './reference/chapters'

/** The page of each route, by the id of the route. */
export function routePages(chapters: readonly Chapter[]): Record<string, string> {
  return Object.fromEntries(chapters.flatMap(({ path, entries }) => entries.map(({ id }) => [id, path])))
}
