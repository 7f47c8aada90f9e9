import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { contentOf, npm, root, step } from './steps.mjs'

const LEGACY = join(root, 'test', 'legacy')

/** Installs Debian's PostgreSQL for the tests if there is none. Throws with advice where it cannot. */
export async function ensurePostgres() {
  if (hasPostgres()) return
  await installDebian(['postgresql'], 'PostgreSQL', 'put the folder of its initdb on the PATH')
  if (!hasPostgres()) throw new Error('Debian installed its postgresql package, but there is still no initdb.')
}

/** Installs Debian's Redis for the tests if there is none. Throws with advice where it cannot. */
export async function ensureRedis() {
  if (hasRedis()) return
  await installDebian(['redis-server'], 'Redis', 'put the folder of redis-server on the PATH')
  if (!hasRedis()) throw new Error('Debian installed its redis-server package, but there is still no redis-server.')
}

/** Installs Debian's Chromium for the journeys if there is none: without windows where Debian has it. Throws with advice where it cannot. */
export async function ensureChromium() {
  if (findChromium()) return
  await installDebian(['chromium-headless-shell', 'chromium'], 'Chromium', 'put the folder of chromium on the PATH')
  if (!findChromium()) throw new Error('Debian installed its chromium package, but there is still no chromium.')
}

/** Installs Debian's Python with its package `cryptography` for the program of docs/receipts.md. Throws with advice where it cannot. */
export async function ensurePython() {
  if (hasPython()) return
  await installDebian(['python3-cryptography'], 'Python', 'install python3 with the package cryptography at /usr/bin')
  if (!hasPython()) throw new Error('Debian installed python3-cryptography, but /usr/bin/python3 cannot import it.')
}

/**
 * Installs the official Python package, a builder of wheels, a validator of OpenAPI documents and a generator of clients in an environment
 * of its own. It needs python3 with venv, and the registry of Python.
 */
export async function ensurePythonClients() {
  const folder = join(root, 'node_modules', '.cache', 'quittance', 'python')
  const isThere = spawnSync(join(folder, 'bin', 'python'), ['-c', `import ${PYTHON_MODULES}`]).status === 0
  if (isThere) return
  const made = { doing: 'Making a Python environment', done: 'Python environment made', log: 'python-venv' }
  await step(made, ...split(['python3', '-m', 'venv', '--clear', folder]))
  const tools = ['setuptools==84.2.1', 'wheel==0.48.0', 'openapi-spec-validator==0.9.0', 'openapi-python-client==0.29.1']
  const packages = ['x402[fastapi,httpx,evm]==2.25.0', 'uvicorn==0.54.0', 'cryptography==50.0.2', 'redis==8.1.0', ...tools]
  const installed = { doing: 'Installing the Python x402 client', done: 'Python x402 client installed', log: 'python-x402' }
  await step(installed, ...split([join(folder, 'bin', 'pip'), 'install', '--quiet', ...packages]))
}

const PYTHON_MODULES =
  'x402, fastapi, httpx, uvicorn, eth_account, cryptography, redis, setuptools, wheel, openapi_spec_validator, openapi_python_client'

/** The version of Node in the image. */
export const IMAGE_NODE = /^FROM node:([\d.]+)/m.exec(contentOf(join(root, 'Dockerfile')))?.[1] ?? ''

/** Installs that version from npm's registry and returns its program. Throws where the registry has none for this platform. */
export async function ensureImageNode() {
  const folder = join(root, 'node_modules', '.cache', 'quittance', `node-${IMAGE_NODE}`)
  const name = `node-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return program
  const words = { doing: `Installing Node ${IMAGE_NODE}`, done: `Node ${IMAGE_NODE} installed`, log: 'node' }
  await step(words, ...npm(['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${IMAGE_NODE}`]))
  if (!existsSync(program)) throw new Error(`${name} has no program.`)
  return program
}

/** Installs the legacy x402 clients in their own package if its lock changed. */
export async function ensureLegacyClients() {
  if (installedVersions() === lockedVersions()) return
  const install = npm(['install', '--prefix', LEGACY])
  await step({ doing: 'Installing the legacy x402 clients', done: 'Legacy clients installed', log: 'legacy' }, ...install)
}

function hasPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []
  return [...onPath(), ...versions].some((folder) => existsSync(join(folder, 'initdb')))
}

const hasPython = () => spawnSync('/usr/bin/python3', ['-c', 'import cryptography']).status === 0
const hasRedis = () => onPath().some((folder) => existsSync(join(folder, 'redis-server')))
const onPath = () => (process.env.PATH ?? '').split(delimiter)

/** Installs the first of these packages that Debian has, without its recommended ones. Throws with the advice without apt. */
async function installDebian(names, title, advice) {
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`The tests need ${title}: ${advice}.`)
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const apt = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-y']
  await step(
    { doing: 'Updating the list of Debian packages', done: 'List updated', log: 'apt-update' },
    ...split([...apt, 'update']),
  )
  const name = names.find((one) => spawnSync('apt-cache', ['show', '--quiet', one]).status === 0) ?? names.at(-1)
  const install = [...apt, 'install', '--no-install-recommends', name]
  await step({ doing: `Installing ${title}`, done: `${title} installed`, log: `apt-${name}` }, ...split(install))
}

const lockedVersions = () => versionsIn(join(LEGACY, 'package-lock.json'))
const installedVersions = () => versionsIn(join(LEGACY, 'node_modules', '.package-lock.json'))

/** The locked versions of the direct dependencies. */
function versionsIn(lock) {
  const { packages = {} } = JSON.parse(contentOf(lock) || '{}')
  const names = ['express', 'viem', 'x402', 'x402-express', 'x402-fetch']
  return JSON.stringify(names.map((name) => packages[`node_modules/${name}`]?.version))
}

function split([command, ...args]) {
  return [command, args]
}
