import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spawnTied } from '../../devnet/child'
import { buildPrograms } from '../../scripts/build.mjs'
import { IMAGE_NODE } from '../../scripts/install.mjs'
import { freshDatabase } from '../support/database/database'
import { freePort } from '../support/database/postgres'
import { keepOutput } from '../support/logs'
import { ADMIN_KEY } from '../support/service/harness'
import { ROOT } from '../support/source-files'
import { until } from '../support/until'
import { at, compose } from './compose'
import { copiesOf, type Stage, stagesOf } from './dockerfile'

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const stages = stagesOf(textOf('Dockerfile'))

function stage(name: string): Stage {
  const found = stages.find((one) => one.name === name)
  if (!found) throw new Error(`the Dockerfile has no target ${name}`)
  return found
}

/** The repository paths that the runtime stage copies from the build. */
const taken = copiesOf(stage('runtime'))
  .filter(({ from }) => from === 'build')
  .flatMap(({ sources }) => sources.map((source) => source.replace('/quittance/', '')))
// Earlier build steps make these, so a clone lacks them.
const MADE = ['.next/standalone', 'dist']

describe('the images', () => {
  test('are two, and the service is the default', () => {
    expect(stages.map(({ name }) => name)).toEqual(expect.arrayContaining(['runtime', 'demo']))
    expect(stages.at(-1)?.name).toBe('runtime')
  })

  test.each(['runtime', 'demo'])('%s does not run as root', (name) => {
    expect(stage(name).instructions.filter(({ keyword }) => keyword === 'USER')).toEqual([{ keyword: 'USER', rest: 'node' }])
  })

  test('use one Node version, which the service supports', () => {
    expect(stages.filter(({ from }) => from !== 'base').map(({ from }) => from)).toEqual([`node:${IMAGE_NODE}-slim`])
    expect(Number(IMAGE_NODE.split('.')[0])).toBeGreaterThanOrEqual(24)
  })

  test('hold no secret: no build argument and no copied file has one', () => {
    const set = stages.flatMap(({ instructions }) => instructions.filter(({ keyword }) => keyword === 'ENV' || keyword === 'ARG'))
    for (const { rest } of set) expect(rest).not.toMatch(/KEY|SECRET|TOKEN|PASSWORD|_URL/)
    const ignored = textOf('.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.env', '.env.*', '.data', '.git', 'test-results', '**/node_modules']))
  })

  test('copy only paths that exist', () => {
    const sources = stages.flatMap(copiesOf).flatMap(({ from, sources }) => (from === null ? sources : []))
    expect(sources.length).toBeGreaterThan(0)
    for (const source of [...sources, ...taken.filter((one) => !MADE.includes(one))]) {
      expect(existsSync(path.join(ROOT, source)), source).toBe(true)
    }
  })

  test('an environment file with empty values changes neither the port of the health check nor the folder of the data', () => {
    const words = stage('runtime').instructions.map(({ rest }) => rest)
    expect(words.find((rest) => rest.includes('/health'))).toContain('process.env.PORT || 3000')
    expect(words.find((rest) => rest.includes('mkdir /data'))).toContain('ln -s /data .data')
  })

  test('the service has a health check, and is process 1 so that it gets the stop signal', () => {
    const words = Object.fromEntries(stage('runtime').instructions.map(({ keyword, rest }) => [keyword, rest]))
    expect(words.HEALTHCHECK).toContain('/health')
    expect(JSON.parse(words.CMD ?? '')).toEqual(['node', 'scripts/start.mjs'])
  })
})

type Lock = { packages: Record<string, { dev?: boolean }> }
const lock: Lock = JSON.parse(textOf('package-lock.json'))
/** The places of the packages that an installation without those of development has. */
const installed = Object.entries(lock.packages).flatMap(([place, { dev }]) => (place === '' || dev ? [] : [place]))

/** A folder with the files of the image but the pages, which only the journeys build. */
async function imageFolder(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-image-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of [...taken.filter((one) => !MADE.includes(one)), ...installed]) {
    cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true })
  }
  await buildPrograms(path.join(folder, 'dist'))
  return folder
}

describe('the service', () => {
  test('has few packages beside its own code', () => {
    const sizes = installed.flatMap((place) =>
      readdirSync(path.join(ROOT, place), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000_000)
  })

  test('starts from the files of its image, answers, and stops on the stop signal', async () => {
    const folder = await imageFolder()
    const port = String(await freePort())
    const { PATH = '' } = process.env
    const env = { PATH, HOME: folder, NODE_ENV: 'production', PORT: port, DATA_DIR: path.join(folder, 'data') } as const
    const secrets = { ADMIN_KEY, AUTH_SECRET: 'the-auth-secret-of-the-tests-0123456789' }
    const args = ['scripts/start.mjs', '--pages-later']
    const child = spawnTied(process.execPath, args, { cwd: folder, env: { ...env, ...secrets }, output: 'pipe' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Uint8Array) => {
        output += piece.toString()
      })
    }
    keepOutput(child.stdout, `image-${child.pid}`)
    const ended = once(child, 'exit')
    await Promise.race([
      until(() => output.includes('"listening"'), 'the service', 60_000),
      ended.then(() => Promise.reject(new Error(`the service ended:\n${output}`))),
    ])
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    // What only pages and management use is a file of its own, and is found.
    expect(statSync(path.join(folder, 'dist', 'server.mjs')).size).toBeLessThan(5_000_000)
    const headers = { authorization: `Bearer ${ADMIN_KEY}` }
    expect((await fetch(`http://127.0.0.1:${port}/admin/tenants?limit=1`, { headers })).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    // Doctor and the migrations have no packages either.
    const said = (program: string, more: Record<string, string>) =>
      promisify(execFile)(process.execPath, [program], { cwd: folder, env: { ...env, ...more } })
        .catch((failed: { stdout: string; stderr: string }) => failed)
        .then(({ stdout, stderr }) => stdout + stderr)
    expect(await said('dist/doctor.mjs', secrets)).toMatch(/ok +signatures: /)
    // As on linux-arm64, for which the addon's package has no build.
    rmSync(path.join(folder, 'node_modules', 'secp256k1', 'prebuilds'), { recursive: true })
    expect(await said('dist/doctor.mjs', secrets)).toMatch(/warning +signatures: by libsecp256k1 in WebAssembly/)
    const database = await freshDatabase()
    onTestFinished(database.close)
    expect(await said('dist/migrate.mjs', { MIGRATION_DATABASE_URL: database.url })).toBe('The database has all migrations.\n')
  })
})

describe('compose.yaml', () => {
  test('starts instances behind a load balancer after the database and Redis', () => {
    expect(Object.keys(at(compose, 'services') ?? {})).toEqual(['balancer', 'migration', 'service', 'database', 'redis'])
    expect(at(compose, 'services', 'balancer', 'depends_on', 'service', 'condition')).toBe('service_healthy')
    for (const part of ['database', 'redis']) {
      expect(at(compose, 'services', 'service', 'depends_on', part, 'condition')).toBe('service_healthy')
      expect(at(compose, 'services', part, 'healthcheck', 'test')).toEqual(expect.arrayContaining(['CMD']))
    }
    expect(at(compose, 'services', 'service', 'build', 'target')).toBe('runtime')
    expect(Number(at(compose, 'services', 'service', 'deploy', 'replicas'))).toBeGreaterThan(1)
  })

  test("publishes only the load balancer's port, and only on this machine unless the operator says so", () => {
    const open = Object.entries(at(compose, 'services') ?? {}).filter(([, service]) => at(service, 'ports') !== null)
    expect(open.map(([name]) => name)).toEqual(['balancer'])
    expect(at(compose, 'services', 'balancer', 'ports')).toEqual([
      '$' + '{BALANCER_ADDRESS:-127.0.0.1}:$' + '{BALANCER_PORT:-8080}:8080',
    ])
  })

  test('holds no secret, and the service can write only to temporary files', () => {
    expect(textOf('compose.yaml')).not.toMatch(/(?:KEY|SECRET|TOKEN|PASSWORD)\w*: *"?[\w-]{8,}/)
    expect(at(compose, 'services', 'service', 'env_file')).toBe('.env')
    expect(at(compose, 'services', 'service', 'read_only')).toBe(true)
    expect(at(compose, 'services', 'service', 'cap_drop')).toEqual(['ALL'])
  })

  const services = Object.entries(at(compose, 'services') ?? {})

  test('pins each image to a version that the repository names', () => {
    const images = services.flatMap(([, service]) => (at(service, 'build') !== null ? [] : [String(at(service, 'image'))]))
    expect(images).toHaveLength(3)
    for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-alpine(@sha256:[0-9a-f]{64})?$/)
  })

  test('gives each container no privilege and a read-only file system', () => {
    for (const [name, service] of services) {
      expect([name, at(service, 'cap_drop')]).toEqual([name, ['ALL']])
      expect([name, at(service, 'security_opt')]).toEqual([name, ['no-new-privileges:true']])
      expect([name, at(service, 'read_only')]).toEqual([name, true])
      expect([name, at(service, 'privileged')]).toEqual([name, null])
    }
    // The database's image starts as root and switches to its own user.
    expect(services.filter(([, service]) => at(service, 'cap_add') !== null)).toEqual([['database', expect.anything()]])
    expect(at(compose, 'services', 'database', 'cap_add')).toEqual(['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'])
  })

  test('keeps the databases in an internal network without the balancer', () => {
    const networksOf = (name: string) => at(compose, 'services', name, 'networks')
    expect(['balancer', 'migration', 'service', 'database', 'redis'].map(networksOf)).toEqual([
      ['front'],
      ['backend'],
      ['front', 'backend'],
      ['backend'],
      ['backend'],
    ])
    expect(Object.keys(at(compose, 'networks') ?? {})).toEqual(['front', 'backend'])
    expect(at(compose, 'networks', 'backend', 'internal')).toBe(true)
  })

  test('runs the service as a role that owns no table, and sets a Redis password', () => {
    const given = (service: string, name: string) =>
      new URL(String(at(compose, 'services', service, 'environment', name)).replace(/\$\{(\w+):[^}]*\}/, '$1'))
    const [rows, redis] = [given('service', 'DATABASE_URL'), given('service', 'REDIS_URL')]
    const tables = given('migration', 'MIGRATION_DATABASE_URL')
    expect([rows?.username, rows?.password]).toEqual(['quittance_service', 'SERVICE_PASSWORD'])
    expect([tables?.username, tables?.password]).toEqual(['quittance', 'POSTGRES_PASSWORD'])
    expect([rows?.host, rows?.pathname]).toEqual([tables?.host, tables?.pathname])
    expect(redis?.password).toBe('REDIS_PASSWORD')
    expect(String(at(compose, 'services', 'redis', 'command'))).toContain('requirepass')
    expect(at(compose, 'services', 'database', 'volumes')).toContain('./ops/roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro')
    expect(textOf('ops/roles.sql')).toContain('CREATE ROLE quittance_service')
  })

  test("gives the password of the tables' owner only to the database and to a job that ends", () => {
    const environmentOf = (name: string) => JSON.stringify(at(compose, 'services', name, 'environment'))
    const holders = services.map(([name]) => name).filter((name) => environmentOf(name).includes('{POSTGRES_PASSWORD'))
    expect(holders).toEqual(['migration', 'database'])
    // The file with all variables has it too.
    expect(at(compose, 'services', 'service', 'environment')).toMatchObject({ MIGRATION_DATABASE_URL: '', POSTGRES_PASSWORD: '' })
    expect(at(compose, 'services', 'migration', 'env_file')).toBeNull()
    expect(at(compose, 'services', 'migration', 'command')).toEqual(['node', 'dist/migrate.mjs'])
    expect(at(compose, 'services', 'service', 'depends_on', 'migration', 'condition')).toBe('service_completed_successfully')
  })

  test('starts a Redis that requires the password', async () => {
    const [shell = '', flag = '', script = ''] = [at(compose, 'services', 'redis', 'command') ?? []].flat().map(String)
    const port = await freePort()
    const own = script.replaceAll('$$', '$').replace('redis-server -', `redis-server - --port ${port}`)
    const child = spawnTied(shell, [flag, own], {
      cwd: tmpdir(),
      env: { ...process.env, REDIS_PASSWORD: 'abc123' },
      output: 'pipe',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const say = (...words: string[]) =>
      promisify(execFile)('redis-cli', ['-p', String(port), ...words]).then(
        ({ stdout }) => stdout.trim(),
        () => 'away',
      )
    // Its first process is Redis itself, which gets the stop signal.
    const command = async () => (await promisify(execFile)('ps', ['-o', 'comm=', '-p', String(child.pid)])).stdout.trim()
    await until(async () => (await say('--no-auth-warning', '-a', 'abc123', 'ping')) === 'PONG', 'Redis')
    expect(await say('ping')).toContain('NOAUTH')
    expect(await say('--no-auth-warning', '-a', 'abc123', 'config', 'get', 'maxmemory-policy')).toContain('allkeys-lru')
    expect(await command()).toBe('redis-server')
  })

  test('lets running requests finish before it kills an instance', () => {
    const [, seconds = '0'] = /^(\d+)s$/.exec(String(at(compose, 'services', 'service', 'stop_grace_period'))) ?? []
    const [, longest = '0'] = /EXIT_MS = ([\d_]+)/.exec(textOf('server/main.ts')) ?? []
    expect(Number(seconds) * 1_000).toBeGreaterThan(Number(longest.replace('_', '')))
  })
})
