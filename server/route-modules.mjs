import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const ROUTE_FILE = `${path.sep}route.ts`

/** Files that only Next can load, and loads itself: sign-in with the identity provider, and preview pictures. */
const OF_NEXT = new Set(['api/auth/[...nextauth]', 'catalog/resource/picture', 'pictures/[name]', 'r/[token]/picture'])

/**
 * The files below `app/` that declare endpoints.
 * @param {string} root the folder of the project
 * @returns {{ address: string, file: string }[]} `address`: the path as Next names it, such as `/v1/[key]/settle`
 */
export function routeFiles(root) {
  const app = path.join(root, 'app')
  const names = readdirSync(app, { recursive: true, encoding: 'utf8' }).map((name) => path.sep + name)
  return names
    .filter((name) => name.endsWith(ROUTE_FILE))
    .map((name) => name.slice(1, -ROUTE_FILE.length).split(path.sep).join('/'))
    .filter((address) => !OF_NEXT.has(address))
    .sort()
    .map((address) => ({ address: `/${address}`, file: path.join(app, address, 'route.ts') }))
}

/**
 * The folders in which such a file may come or go.
 * @param {string} root the folder of the project
 */
export function foldersOfRoutes(root) {
  const entries = readdirSync(path.join(root, 'app'), { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ parentPath, name }) => path.join(parentPath, name))
  return [path.join(root, 'app'), ...folders]
}

/**
 * The modules of these files, by address. A bundle has them inside: `scripts/bundle.mjs` puts imports in the place of this file.
 * @returns {Promise<Record<string, Record<string, unknown>>>}
 */
export async function loadRouteModules() {
  const files = routeFiles(path.join(import.meta.dirname, '..'))
  const load = async ({ address, file }) => [address, await import(/* @vite-ignore */ pathToFileURL(file).href)]
  return Object.fromEntries(await Promise.all(files.map(load)))
}
