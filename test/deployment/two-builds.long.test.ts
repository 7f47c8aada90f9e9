import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Chain, startChain } from '../../devnet/chain'
import { migrate } from '../../server/db/migrate'
import { fundedKey } from '../support/chain/funded-key'
import { type Cluster, startCluster } from '../support/database/postgres'
import { signed, v2Body } from '../support/payloads/payments'
import { ADMIN_KEY } from '../support/service/harness'
import { type MainProcess, startMainProcess } from '../support/service/main-process'
import { ROOT } from '../support/source-files'

const run = promisify(execFile)
const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim()

/** The migrations of a commit, a line for each with its content's hash. */
const migrationsAt = (commit: string) => git('ls-tree', '-r', commit, '--', 'prisma/migrations').split('\n')

/** The version before this one: the newest tag, or without any the newest commit that lacks a migration. Empty without history. */
function versionBefore(): string {
  const tag = git('describe', '--tags', '--abbrev=0', 'HEAD^')
  if (tag !== '') return tag
  const now = migrationsAt('HEAD')
  const known = new Set(now)
  // A commit of a branch whose migrations had other names or another content is no version before this one.
  const isBefore = (commit: string) => {
    const then = migrationsAt(commit)
    return then.length < now.length && then.every((migration) => known.has(migration))
  }
  return git('log', '--format=%H', '--', 'prisma/migrations').split('\n').find(isBefore) ?? ''
}

const before = versionBefore()
const folder = mkdtempSync(path.join(tmpdir(), 'quittance-before-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Builds that version in a folder, with the packages of this one. */
async function buildBefore(): Promise<void> {
  await run('/bin/sh', ['-c', `git archive ${before} | tar --extract --directory ${folder}`], { cwd: ROOT })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const prisma = path.join(ROOT, 'node_modules', 'prisma', 'build', 'index.js')
  await run(process.execPath, [prisma, 'generate'], { cwd: folder })
  // 0.1.0 has the earlier name.
  const build = `import('./scripts/build.mjs').then(({ buildPrograms, buildServer }) => (buildPrograms ?? buildServer)())`
  await run(process.execPath, ['--eval', build], { cwd: folder })
}

const Answer = z.object({ success: z.boolean() })

describe.runIf(before !== '')('the version before and this one', () => {
  let chain: Chain
  let cluster: Cluster
  let env: Record<string, string>
  beforeAll(async () => {
    await buildBefore()
    ;[chain, cluster] = await Promise.all([startChain({ chainId: 84532, blockTimeSeconds: 0.2 }), startCluster()])
    env = {
      ADMIN_KEY,
      DATABASE_URL: cluster.url('postgres'),
      BASE_SEPOLIA_RPC_URL: chain.url,
      EVM_SANDBOX_SIGNER_KEYS: await fundedKey(chain),
    }
  }, 900_000)
  afterAll(() => Promise.all([chain?.stop(), cluster?.remove()]))

  const startBefore = () =>
    startMainProcess(env, '"msg":"ready"', { program: path.join(folder, 'scripts', 'start.mjs'), cwd: folder })

  /** Pays once through a service; true for a success. A service that cannot take payments yet says so, and is asked again. */
  async function pay({ url }: MainProcess, at: number): Promise<boolean> {
    const payer = privateKeyToAccount(generatePrivateKey())
    await chain.mint(payer.address, 1_000_000n)
    const body = JSON.stringify(v2Body(await signed(payer)))
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.${Math.floor(at / 250)}.${(at % 250) + 1}` }
    for (let tries = 0; tries < 20; tries += 1) {
      const response = await fetch(`${url}/sandbox/settle`, { method: 'POST', headers, body })
      if (response.status === 200) return Answer.parse(await response.json()).success
      expect([409, 503], await response.text()).toContain(response.status)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    return false
  }

  test('serve together over one database while the migration runs, and the one before can come back', {
    timeout: 600_000,
  }, async () => {
    const old = await startBefore()
    let paid = 0
    const payThrough = async (service: MainProcess, count: number) => {
      for (let done = 0; done < count; done += 1) {
        paid += 1
        expect(await pay(service, paid), `payment ${paid}:\n${service.output().slice(-4_000)}`).toBe(true)
      }
    }
    await payThrough(old, 3)
    const [applied] = await Promise.all([migrate(cluster.url('postgres')), payThrough(old, 10)])
    expect(applied.length).toBeGreaterThan(0)
    const young = await startMainProcess(env)
    // Each of them claims; one holds the lane.
    await Promise.all([payThrough(old, 10), payThrough(young, 10)])
    await old.kill('SIGTERM')
    await payThrough(young, 5)
    await young.kill('SIGTERM')
    const back = await startBefore()
    await payThrough(back, 5)
    await back.kill('SIGTERM')
    for (const { output } of [old, young, back]) {
      // The housekeeping of 0.1.0 clears a table that the next migration dropped, and goes on.
      const lines = output()
        .split('\n')
        .filter((line) => !line.includes('relation \\"AnalyticsMemo\\" does not exist'))
        .join('\n')
      expect(lines).not.toMatch(/"msg":"internal error"|"level":"fatal"/)
      expect(lines).not.toMatch(/column .* does not exist|relation .* does not exist/)
    }
  })
})
