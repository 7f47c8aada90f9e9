import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { recoveryByHand, recoveryProgram } from '../../../components/client/programs/recovery'
import { settledPort } from '../../../devnet/free-ports'
import { startTwoNetworks, wallet } from '../../../test/interop/official-clients'
import { fixture } from '../../../test/support/fixture'
import { newAddress } from '../../../test/support/service/purchases'
import { startRecorder } from '../../../test/support/service/recorder'
import { ROOT } from '../../../test/support/source-files'
import { until } from '../../../test/support/until'
import { ask, signedHeader } from './merchant-process'

const run = promisify(execFile)
const PRICE = 1_000n

/** The tarball as npm publishes it, unpacked once. */
async function packed(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'starter-'))
  const source = path.join(ROOT, 'packages', 'quittance')
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  const target = path.join(folder, 'node_modules', '@quittance', 'x402')
  mkdirSync(target, { recursive: true })
  await run('tar', ['-xzf', path.join(folder, stdout.trim().split('\n').at(-1) ?? ''), '-C', target, '--strip-components=1'])
  // What `init` would install.
  for (const name of ['@x402', '@hono', 'express', 'hono'])
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name))
  return folder
}

const all = fixture(async () => {
  const recorder = await startRecorder()
  // Receipts name the base URL as their issuer.
  const [networks, folder] = await Promise.all([startTwoNetworks(() => ({ BASE_URL: recorder.url })), packed()])
  recorder.leadTo(networks.service.url)
  const faucet = createServer(async (request, response) => {
    await networks.networks.sepolia.chain.mint(getAddress(request.url?.split('/').at(-1) ?? ''), 10_000n)
    response.end('{}')
  })
  await new Promise<void>((resolve) => faucet.listen(0, '127.0.0.1', resolve))
  return {
    ...networks,
    url: recorder.url,
    folder,
    faucet: `http://127.0.0.1:${(faucet.address() as AddressInfo).port}`,
    async close() {
      faucet.close()
      rmSync(folder, { recursive: true, force: true })
      await Promise.all([networks.close(), recorder.close()])
    },
  }
})

/** Runs the packed program in its folder; resolves with what it printed. */
async function quittance(args: string[], env: Record<string, string> = {}): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const program = path.join(all.folder, 'node_modules', '@quittance', 'x402', 'dist', 'cli.js')
  const options = { cwd: all.folder, env: { PATH, HOME, NODE_ENV: 'test', ...env } } as const
  const { stdout, stderr } = await run(process.execPath, [program, ...args], options).catch((failed: object) => {
    const { stdout = '', stderr = '' }: { stdout?: string; stderr?: string } = failed
    return { stdout, stderr: `FAILED ${stderr}` }
  })
  return stdout + stderr
}

const init = (folder: string, ...more: string[]) => [
  'init',
  '--no-install',
  '--folder',
  folder,
  '--url',
  `${all.url}/sandbox`,
  '--faucet',
  all.faucet,
  ...more,
]

describe('quittance init, from the tarball in an empty folder', () => {
  test.each(['express', 'hono'])('writes a route for %s that sells, and pays it once', async (framework) => {
    const payTo = newAddress()
    const said = await quittance(init(framework, '--framework', framework, '--pay-to', payTo))
    expect(said).not.toContain('FAILED')
    expect(said).toMatch(/^Explain {3}\S.*$/m)
    expect(said).toContain('Paid      200 {"weather":"sunny"}')
    expect(said).toMatch(new RegExp(`^Receipt   included: 1000 atomic units from 0x\\w{40} to ${payTo}`, 'mi'))
    expect(said).toContain('Listed    no: a local address is not public')
    expect(await all.networks.sepolia.chain.tokens(payTo)).toBe(PRICE)
    const written = readFileSync(path.join(all.folder, framework, '.env'), 'utf8')
    expect(written).toBe(`FACILITATOR_URL=${all.url}/sandbox\n`)
  })

  test('writes a route for Next.js and one for FastAPI', async () => {
    const payTo = newAddress()
    await quittance(init('next', '--framework', 'next', '--no-run', '--pay-to', payTo))
    expect(readFileSync(path.join(all.folder, 'next', 'app', 'weather', 'route.js'), 'utf8')).toContain(`payTo: '${payTo}'`)
    await quittance(init('python', '--framework', 'fastapi', '--no-run', '--pay-to', payTo))
    await run('python3', ['-m', 'py_compile', path.join(all.folder, 'python', 'main.py')])
  })

  test('replaces no file, and no other variable', async () => {
    const args = init('again', '--no-run', '--pay-to', newAddress())
    expect(await quittance(args)).not.toContain('FAILED')
    expect(await quittance(args)).toMatch(/^FAILED .*server\.mjs exists: .*--force/m)
  })

  test.each([
    ['without an address and a terminal', [], 'Add --pay-to <address>.'],
    ['for a bad address', ['--pay-to', '0x12'], '"0x12" is no Ethereum address'],
    ['for another framework', ['--framework', 'rails'], '--framework is one of express, hono, next, fastapi, not rails'],
    ['for a network that the facilitator does not serve', ['--network', 'eip155:1'], 'does not serve eip155:1'],
    ['where no facilitator answers', ['--url', 'http://127.0.0.1:9'], 'No facilitator answers at http://127.0.0.1:9'],
  ])('fails %s, and says what to do', async (_, args, message) => {
    const said = await quittance(init('failing', ...args))
    expect(said).toContain('FAILED')
    expect(said).toContain(message)
  })

  test('without test money says how to get some', async () => {
    const said = await quittance(init('poor', '--pay-to', newAddress(), '--faucet', 'http://127.0.0.1:9'))
    expect(said).toContain('set PRIVATE_KEY to a wallet with test USDC')
  })

  test('pays with the wallet of PRIVATE_KEY', async () => {
    const key = await wallet(all.networks.sepolia.chain)
    const said = await quittance(init('own', '--pay-to', newAddress(), '--faucet', 'http://127.0.0.1:9'), { PRIVATE_KEY: key })
    expect(said).toContain('Paid      200')
  })
})

/** After the imports of a program: a facilitator client that dies once it has settled. */
const DOOMED = `import express from 'express'
class Doomed extends HTTPFacilitatorClient {
  async settle(...terms) {
    await super.settle(...terms)
    process.kill(process.pid, 'SIGKILL')
  }
}`

/** Runs a program in the folder until it sells; resolves with its process and its route. */
async function started(text: string) {
  const port = String(await settledPort(0))
  const { PATH = '' } = process.env
  const env = { PATH, NODE_ENV: 'test', PORT: port } as const
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { cwd: all.folder, env, stdio: 'pipe' })
  let output = ''
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString()
  })
  await until(() => output.includes('Selling') || child.exitCode !== null, 'the program to sell', 30_000)
  return { route: `http://localhost:${port}/weather`, child, gone: once(child, 'exit') }
}

test.each([
  ['with the package', recoveryProgram],
  ['by hand', recoveryByHand],
])('the program of /docs/crash %s answers once after a crash', async (_, programOf) => {
  const payTo = newAddress()
  const program = programOf({ url: `${all.url}/sandbox`, network: 'eip155:84532', payTo })
  const doomed = await started(
    program
      .replace("import express from 'express'", DOOMED)
      .replace(/(class Recovering extends) HTTPFacilitatorClient/, '$1 Doomed')
      .replace(/new HTTPFacilitatorClient/, 'new Doomed'),
  )
  const headers = await signedHeader(doomed.route, await wallet(all.networks.sepolia.chain))
  expect(await ask(doomed.route, headers)).toBe('no answer')
  await doomed.gone
  const next = await started(program)
  const answers = [await ask(next.route, headers), await ask(next.route, headers)]
  next.child.kill('SIGKILL')
  expect(answers.map((one) => one !== 'no answer' && one.status)).toEqual([200, 402])
  expect(await all.networks.sepolia.chain.tokens(payTo)).toBe(PRICE)
})

test('what merchants import needs no package', async () => {
  const program = `import * as all from '@quittance/x402'; console.log(Object.keys(all).sort().join(' '))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: all.folder })
  expect(stdout.trim()).toBe(
    'FailoverFacilitatorClient InvalidReceipt InvalidWebhook RecoveringFacilitatorClient createFacilitatorConfig evmAuthorizations facilitator fileStore memoryStore paymentKey redisStore sqlStore verifyReceipt verifyWebhook',
  )
})
