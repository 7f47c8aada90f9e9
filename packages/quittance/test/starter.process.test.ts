import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { recoveryByHand, recoveryProgram } from '../../../components/client/programs/recovery'
import { settledPort } from '../../../devnet/free-ports'
import { wallet } from '../../../test/interop/official-clients'
import { fixture } from '../../../test/support/fixture'
import { newAddress } from '../../../test/support/service/purchases'
import { until } from '../../../test/support/until'
import { ask, signedHeader } from './merchant-process'
import { startPackedWorld } from './packed-world'

const run = promisify(execFile)
const PRICE = 1_000n

const all = fixture(() => startPackedWorld(tmpdir()))

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
    const said = await all.quittance(init(framework, '--framework', framework, '--pay-to', payTo))
    expect(said).not.toContain('FAILED')
    expect(said).toMatch(/^Explain {3}\S.*$/m)
    expect(said).toContain('Paid      200 {"weather":"sunny"}')
    expect(said).toMatch(new RegExp(`^Receipt   included: 1000 atomic units from 0x\\w{40} to ${payTo}`, 'mi'))
    // With a local base URL the service lists local hosts too.
    expect(said).toContain('Listed    yes')
    expect(await all.sepolia.tokens(payTo)).toBe(PRICE)
    const written = readFileSync(path.join(all.folder, framework, '.env'), 'utf8')
    expect(written).toBe(`FACILITATOR_URL=${all.url}/sandbox\n`)
  })

  test('writes a route for Next.js and one for FastAPI', async () => {
    const payTo = newAddress()
    await all.quittance(init('next', '--framework', 'next', '--no-run', '--pay-to', payTo))
    expect(readFileSync(path.join(all.folder, 'next', 'app', 'weather', 'route.js'), 'utf8')).toContain(`payTo: '${payTo}'`)
    await all.quittance(init('python', '--framework', 'fastapi', '--no-run', '--pay-to', payTo))
    await run('python3', ['-m', 'py_compile', path.join(all.folder, 'python', 'main.py')])
  })

  test('replaces no file, and no other variable', async () => {
    const args = init('again', '--no-run', '--pay-to', newAddress())
    expect(await all.quittance(args)).not.toContain('FAILED')
    expect(await all.quittance(args)).toMatch(/^FAILED .*server\.mjs exists: .*--force/m)
  })

  test.each([
    ['without an address and a terminal', [], 'Add --pay-to <address>.'],
    ['for a bad address', ['--pay-to', '0x12'], '"0x12" is no Ethereum address'],
    ['for another framework', ['--framework', 'rails'], '--framework is one of express, hono, next, fastapi, not rails'],
    ['for a network that the facilitator does not serve', ['--network', 'eip155:1'], 'does not serve eip155:1'],
    ['where no facilitator answers', ['--url', 'http://127.0.0.1:9'], 'No facilitator answers at http://127.0.0.1:9'],
  ])('fails %s, and says what to do', async (_, args, message) => {
    const said = await all.quittance(init('failing', ...args))
    expect(said).toContain('FAILED')
    expect(said).toContain(message)
  })

  test('without test money says how to get some', async () => {
    const said = await all.quittance(init('poor', '--pay-to', newAddress(), '--faucet', 'http://127.0.0.1:9'))
    expect(said).toContain('set PRIVATE_KEY to a wallet with test USDC')
  })

  test('pays with the wallet of PRIVATE_KEY', async () => {
    const key = await wallet(all.sepolia)
    const said = await all.quittance(init('own', '--pay-to', newAddress(), '--faucet', 'http://127.0.0.1:9'), {
      PRIVATE_KEY: key,
    })
    expect(said).toContain('Paid      200')
  })
})

test('quittance pay names the route or the facilitator that does not answer', async () => {
  const nowhere = 'http://127.0.0.1:9'
  expect(await all.quittance(['pay', `${nowhere}/weather`])).toContain(`Nothing answers at ${nowhere}/weather.`)
  const port = await settledPort(0)
  const route = createServer((_, response) => response.writeHead(402, { 'payment-required': 'e30=' }).end()).listen(port)
  await once(route, 'listening')
  const said = await all.quittance(['pay', `http://127.0.0.1:${port}/weather`, '--url', nowhere])
  route.close()
  expect(said).toContain(`No facilitator answers at ${nowhere}: start it, or name another one with --url.`)
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
  const headers = await signedHeader(doomed.route, await wallet(all.sepolia))
  expect(await ask(doomed.route, headers)).toBe('no answer')
  await doomed.gone
  const next = await started(program)
  const answers = [await ask(next.route, headers), await ask(next.route, headers)]
  next.child.kill('SIGKILL')
  expect(answers.map((one) => one !== 'no answer' && one.status)).toEqual([200, 402])
  expect(await all.sepolia.tokens(payTo)).toBe(PRICE)
})

test('what merchants import needs no package', async () => {
  const program = `import * as all from '@quittance/x402'; console.log(Object.keys(all).sort().join(' '))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: all.folder })
  expect(stdout.trim()).toBe(
    'FailoverFacilitatorClient InvalidReceipt InvalidWebhook QuittanceChannels RecoveringFacilitatorClient createFacilitatorConfig evmAuthorizations facilitator fileStore memoryStore paymentKey redisStore sqlStore verifyReceipt verifyWebhook',
  )
})
