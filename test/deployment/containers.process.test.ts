import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spawnTied } from '../../devnet/child'
import { IMAGE_NODE } from '../../scripts/install.mjs'
import { envSchema } from '../../server/env/env'
import { freePort } from '../support/database/postgres'
import { ROOT } from '../support/source-files'
import { until } from '../support/until'
import { compose } from './compose'
import { copiesOf, type Stage, stagesOf } from './dockerfile'
import { installedPackages } from './image'
import { at } from './yaml'

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

  test('the service has a health check, and is process 1 so that it gets the stop signal', () => {
    const words = Object.fromEntries(stage('runtime').instructions.map(({ keyword, rest }) => [keyword, rest]))
    expect(words.HEALTHCHECK).toContain('/health')
    expect(JSON.parse(words.CMD ?? '')).toEqual(['node', 'scripts/start.mjs'])
  })
})

describe('the service', () => {
  test('has few packages beside its own code', () => {
    const sizes = installedPackages().flatMap((place) =>
      readdirSync(path.join(ROOT, place), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => statSync(path.join(parentPath, name)).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000_000)
  })
})

describe('compose.yaml', () => {
  test('starts instances behind TLS and a load balancer, after the database and Redis', () => {
    expect(Object.keys(at(compose, 'services') ?? {})).toEqual(['tls', 'balancer', 'migration', 'service', 'database', 'redis'])
    expect(at(compose, 'services', 'tls', 'depends_on', 'balancer')).not.toBeNull()
    expect(at(compose, 'services', 'balancer', 'depends_on', 'service', 'condition')).toBe('service_healthy')
    for (const part of ['database', 'redis']) {
      expect(at(compose, 'services', 'service', 'depends_on', part, 'condition')).toBe('service_healthy')
      expect(at(compose, 'services', part, 'healthcheck', 'test')).toEqual(expect.arrayContaining(['CMD']))
    }
    expect(at(compose, 'services', 'service', 'build', 'target')).toBe('runtime')
    expect(Number(at(compose, 'services', 'service', 'deploy', 'replicas'))).toBeGreaterThan(1)
  })

  test("publishes TLS, and the load balancer's port only on this machine unless the operator says so", () => {
    const open = Object.entries(at(compose, 'services') ?? {}).filter(([, service]) => at(service, 'ports') !== null)
    expect(open.map(([name]) => name)).toEqual(['tls', 'balancer'])
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
    expect(images).toHaveLength(4)
    for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-alpine(@sha256:[0-9a-f]{64})?$/)
  })

  test('gives each container no privilege and a read-only file system', () => {
    for (const [name, service] of services) {
      expect([name, at(service, 'cap_drop')]).toEqual([name, ['ALL']])
      expect([name, at(service, 'security_opt')]).toEqual([name, ['no-new-privileges:true']])
      expect([name, at(service, 'read_only')]).toEqual([name, true])
      expect([name, at(service, 'privileged')]).toEqual([name, null])
    }
    // The database's image starts as root and switches to its own user; TLS listens below port 1024.
    expect(services.flatMap(([name, service]) => (at(service, 'cap_add') !== null ? [name] : []))).toEqual(['tls', 'database'])
    expect(at(compose, 'services', 'tls', 'cap_add')).toEqual(['NET_BIND_SERVICE'])
    expect(at(compose, 'services', 'database', 'cap_add')).toEqual(['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'])
  })

  test('keeps the databases in an internal network without the balancer', () => {
    const networksOf = (name: string) => at(compose, 'services', name, 'networks')
    expect(['tls', 'balancer', 'migration', 'service', 'database', 'redis'].map(networksOf)).toEqual([
      ['front'],
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

  test('sets only variables that the service reads, and asks only for ones that the documents name', () => {
    const set = Object.keys(at(compose, 'services', 'service', 'environment') ?? {})
    expect(set).toContain('TRUSTED_PROXY_HOPS')
    // It only takes away the password that .env has for others.
    expect(set.filter((name) => !Object.keys(envSchema.shape).includes(name))).toEqual(['POSTGRES_PASSWORD'])
    const asked = [...textOf('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name)
    expect(asked).toEqual(expect.arrayContaining(['IMAGE', 'BALANCER_PORT', 'REDIS_PASSWORD']))
    const told = `${textOf('.env.example')}\n${textOf('docs/operations.md')}`
    expect(asked.filter((name) => !new RegExp(`\\b${name}\\b`).test(told))).toEqual([])
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
