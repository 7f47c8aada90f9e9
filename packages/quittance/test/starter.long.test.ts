import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { spawnTied, stopChild } from '../../../devnet/child'
import { settledPort } from '../../../devnet/free-ports'
import { fixture } from '../../../test/support/fixture'
import { newAddress } from '../../../test/support/service/purchases'
import { ROOT } from '../../../test/support/source-files'
import { until } from '../../../test/support/until'
import { startPackedWorld } from './packed-world'

const LONG = 240_000
const CACHE = path.join(ROOT, 'node_modules', '.cache')

// Below our packages, so that Next.js finds itself.
const all = fixture(() => {
  mkdirSync(CACHE, { recursive: true })
  return startPackedWorld(CACHE)
})

test(
  'the route for Next.js sells',
  async () => {
    const payTo = newAddress()
    const folder = path.join(all.folder, 'next')
    const url = `${all.url}/sandbox`
    await all.quittance([
      'init',
      '--framework',
      'next',
      '--folder',
      'next',
      '--url',
      url,
      '--pay-to',
      payTo,
      '--no-install',
      '--no-run',
    ])
    writeFileSync(path.join(folder, 'next.config.mjs'), 'export default {}')
    const port = String(await settledPort(0))
    const next = path.join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next')
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' } as const
    const child = spawnTied(process.execPath, [next, 'dev', '--port', port], { cwd: folder, env, output: 'pipe' })
    const route = `http://localhost:${port}/weather`
    const isSelling = async () => (await fetch(route).catch(() => null))?.status === 402
    try {
      await until(isSelling, 'the route to sell', 120_000)
      expect(await all.quittance(['pay', route, '--url', url, '--faucet', all.faucet])).toContain(
        'Paid      200 {"weather":"sunny"}',
      )
      expect(await all.sepolia.tokens(payTo)).toBe(1_000n)
    } finally {
      await stopChild(child, 5_000)
    }
  },
  LONG,
)

test(
  'a route in an empty folder is installed with the copy of our package that wrote it, runs, and is paid once',
  async () => {
    const payTo = newAddress()
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'installed-')), 'shop')
    const said = await all.quittance([
      'init',
      '--folder',
      folder,
      '--url',
      `${all.url}/sandbox`,
      '--pay-to',
      payTo,
      '--faucet',
      all.faucet,
    ])
    expect(said).toContain('Paid      200 {"weather":"sunny"}')
    expect(await all.sepolia.tokens(payTo)).toBe(1_000n)
    const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    expect(dependencies['@quittance/x402']).toMatch(/^file:quittance-x402-[\d.]+\.tgz$/)
  },
  LONG,
)
