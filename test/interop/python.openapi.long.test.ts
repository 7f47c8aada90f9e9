import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { fixture } from '../support/fixture'
import { signed, v2Body } from '../support/payloads/payments'
import { newAddress } from '../support/service/purchases'
import { startTwoNetworks, wallet } from './official-clients'

const run = promisify(execFile)
// `npm run test:long -- python` installs the validator and the generator.
const BIN = path.join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'quittance', 'python', 'bin')
const PYTHON = path.join(BIN, 'python')

const all = fixture(async () => {
  const networks = await startTwoNetworks()
  const folder = mkdtempSync(path.join(tmpdir(), 'openapi-'))
  const file = path.join(folder, 'openapi.json')
  writeFileSync(file, await (await fetch(`${networks.service.url}/openapi.json`)).text())
  return {
    ...networks,
    folder,
    file,
    async close() {
      rmSync(folder, { recursive: true, force: true })
      await networks.close()
    },
  }
})

test('the OpenAPI document of a live service is valid', async () => {
  const { stdout } = await run(PYTHON, ['-m', 'openapi_spec_validator', all.file])
  expect(stdout).toContain('OK')
})

test('openapi-python-client makes every operation of it, and its client reads supported networks, verifies, settles and looks up', async () => {
  const client = path.join(all.folder, 'generated')
  const args = ['generate', '--path', all.file, '--output-path', client, '--meta', 'none']
  const { stdout, stderr } = await run(path.join(BIN, 'openapi-python-client'), args)
  // It would format its files with ruff.
  expect((stdout + stderr).replaceAll(/Skipping Integration\s+ruff is not in PATH/g, '')).not.toMatch(
    /skipp|unsupported|unable|cannot/i,
  )

  const payTo = newAddress()
  const payment = await signed(privateKeyToAccount(await wallet(all.networks.sepolia.chain)), { to: payTo })
  const program = path.join(import.meta.dirname, 'python', 'generated.py')
  const child = spawn(PYTHON, [program, all.folder, all.service.url], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (piece: Buffer) => {
    output += piece.toString()
  })
  child.stdin.end(JSON.stringify(v2Body(payment, { requirements: { payTo } })))
  await once(child, 'close')
  const { supported, verified, settled, found } = JSON.parse(output)
  expect(supported).toMatchObject([
    'Supported',
    { kinds: expect.arrayContaining([expect.objectContaining({ scheme: 'exact' })]) },
  ])
  expect(verified).toMatchObject(['PaymentValid', { isValid: true }])
  expect(settled).toMatchObject([expect.any(String), { success: true, amount: '1000' }])
  expect(found).toMatchObject(['LookedUpPayment', { settlements: [{ state: 'succeeded', transaction: settled[1].transaction }] }])
  expect(await all.networks.sepolia.chain.tokens(payTo)).toBe(1_000n)
})
