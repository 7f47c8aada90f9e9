import { readFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import { build } from 'esbuild'
import { foldersOfRoutes, routeFiles } from '../server/route-modules.mjs'
import { root } from './steps.mjs'

/** Packages with native parts, packages that load files beside their own code, and optional ones that are not installed. */
const FOUND_AT_RUN_TIME = ['@electric-sql/*', 'esbuild', 'litesvm', 'next', 'pg-native', 'secp256k1', 'vitest']

/**
 * Bundles a TypeScript program and its packages into one module of JavaScript. Nothing is written.
 * @param {string} program path of the program
 * @param {{ up: string, edit?: (file: string, text: string) => string, maps?: boolean, apart?: readonly string[] }} how `up`: the relative address of the project's
 * root from where the bundle will lie, such as `../`; `edit` changes a source file, named by its path in the project;
 * `apart`: modules of packages that the program imports at their first use, each from a bundle of its own next to it (`bundleApart`)
 * @returns {Promise<{ code: Uint8Array, map: Uint8Array | undefined, inputs: string[] }>} `inputs`: the files it was made
 * from, and the folders that may get another route file
 */
export async function bundle(program, { up, edit = (_, text) => text, maps = false, apart = [] }) {
  const { outputFiles, metafile } = await build({
    entryPoints: [program],
    absWorkingDir: root,
    outfile: join(root, 'bundle.mjs'),
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: FOUND_AT_RUN_TIME,
    banner: { js: bannerFor(up) },
    alias: { '@': root },
    sourcemap: maps ? 'linked' : false,
    sourcesContent: false,
    minifyWhitespace: true,
    plugins: [sourcesWith(edit), routeModules(), keptApart(apart), scriptsAsTheyAre(up)],
    logLevel: 'warning',
  })
  const contentOf = (/** @type {RegExp} */ name) => outputFiles.find(({ path }) => name.test(path))?.contents
  return {
    code: contentOf(/\.mjs$/) ?? new Uint8Array(),
    map: contentOf(/\.map$/),
    inputs: [...Object.keys(metafile.inputs).map((input) => join(root, input)), ...foldersOfRoutes(root)],
  }
}

/**
 * Puts the route modules into the bundle, which the sources find in the folder `app/`.
 * @returns {import('esbuild').Plugin}
 */
function routeModules() {
  return {
    name: 'route-modules',
    setup({ onLoad }) {
      onLoad({ filter: /\/server\/route-modules\.mjs$/ }, () => {
        const files = routeFiles(root)
        const imports = files.map(({ file }, at) => `import * as module${at} from ${JSON.stringify(file)}`)
        const entries = files.map(({ address }, at) => `${JSON.stringify(address)}: module${at}`)
        const contents = `${imports.join('\n')}\nexport const loadRouteModules = async () => ({ ${entries.join(', ')} })`
        return { contents, resolveDir: root }
      })
    },
  }
}

/**
 * The file of a module that is kept apart.
 * @param {string} name such as `siwe`, or `package/folder/module.mjs`
 */
const fileApart = (name) => `${posix.basename(name, '.mjs')}.mjs`

/**
 * Bundles some names of a package's module into one module of JavaScript, for programs that keep it apart.
 * @param {string} name
 * @param {readonly string[]} exported
 * @returns {Promise<{ file: string, code: Uint8Array }>}
 */
export async function bundleApart(name, exported) {
  const contents = `export { ${exported.join(', ')} } from '${name}'`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: bannerFor('../') },
    minifyWhitespace: true,
    logLevel: 'warning',
  })
  return { file: fileApart(name), code: outputFiles[0]?.contents ?? new Uint8Array() }
}

/**
 * @param {readonly string[]} names
 * @returns {import('esbuild').Plugin}
 */
function keptApart(names) {
  return {
    name: 'kept-apart',
    setup({ onResolve }) {
      onResolve({ filter: /^[\w@/.-]+$/ }, ({ path, kind }) =>
        kind === 'dynamic-import' && names.includes(path) ? { path: `./${fileApart(path)}`, external: true } : undefined,
      )
    },
  }
}

/**
 * Our programs in JavaScript stay outside: they run without a bundle, and one of them contains the first lines of each bundle.
 * @param {string} up
 * @returns {import('esbuild').Plugin}
 */
function scriptsAsTheyAre(up) {
  return {
    name: 'scripts',
    setup({ onResolve }) {
      onResolve({ filter: /\/scripts\/[\w-]+\.mjs$/ }, ({ path, resolveDir }) => {
        const script = relative(root, join(resolveDir, path)).split(sep).join(posix.sep)
        return { path: `${up}${script}`, external: true }
      })
    },
  }
}

/**
 * What the code of a bundle needs: CommonJS packages in an ES module still call `require` for the modules of Node, and our sources find
 * the files beside them by their own path.
 * @param {string} up
 */
const bannerFor = (up) => `import { createRequire as requireFromBundle } from 'node:module'
import { fileURLToPath as sourcePathOfUrl } from 'node:url'
const require = requireFromBundle(import.meta.url)
const urlOfSource = (file) => new URL(${JSON.stringify(up)} + file, import.meta.url).href
const pathOfSource = (file) => sourcePathOfUrl(urlOfSource(file))`

/**
 * Keeps the own path of each source file and edits it.
 * @param {(file: string, text: string) => string} edit
 * @returns {import('esbuild').Plugin}
 */
function sourcesWith(edit) {
  return {
    name: 'sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(root, path).split(sep).join(posix.sep)
        const contents = edit(file, await readFile(path, 'utf8'))
          .replaceAll('import.meta.dirname', `pathOfSource(${JSON.stringify(dirname(file))})`)
          .replaceAll('import.meta.url', `urlOfSource(${JSON.stringify(file)})`)
        return { contents, loader: 'ts' }
      })
    },
  }
}
