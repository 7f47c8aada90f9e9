import { z } from 'zod'
import { patternOf, routeTable } from './route-table'

/** Whether Next answers at the path of these segments. */
export type PageTable = (segments: string[]) => boolean

/** Next's list of the paths in a build, with the file of each (`app-path-routes-manifest.json`). */
const manifest = z.record(z.string(), z.string())

/** The table of a build. */
export function pageTable(json: unknown): PageTable {
  const paths = Object.values(manifest.parse(json)).filter((path) => !path.startsWith('/_'))
  const find = routeTable(
    [...new Set(paths)].map((path) => ({ pattern: patternOf(path), methods: {}, bodyLimit: 0, cors: 'closed' })),
  )
  return (segments) => find(segments) !== undefined
}
