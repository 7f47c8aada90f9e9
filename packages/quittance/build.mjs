import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// Builds the package: one module for merchants without any package, the command line with the official client in it, the types, and the
// source of the package for Python, which `init` installs.
const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
const how = {
  absWorkingDir: here,
  outdir: dist,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
}

rmSync(dist, { recursive: true, force: true })
await build({ ...how, entryPoints: ['src/index.ts'] })
await build({
  ...how,
  entryPoints: { cli: 'src/cli/main.ts' },
  minify: true,
  // Some packages of the official client call `require`.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
  },
})
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
execFileSync(process.execPath, [tsc, '--project', join(here, 'tsconfig.json')], { stdio: 'inherit' })
// Node's resolution of modules wants the ending; the sources leave it to the bundler.
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.d.ts'))) {
  const path = join(dist, file)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(from '\.[^']*)'/g, "$1.js'"))
}
for (const name of ['pyproject.toml', 'src'])
  cpSync(join(here, '..', 'python', name), join(dist, 'python', name), {
    recursive: true,
    filter: (file) => !/__pycache__|\.egg-info/.test(file),
  })
