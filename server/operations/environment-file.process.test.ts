import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../test/support/source-files'
import { silentLog } from '../base/log'
import { configuredChains, configuredClusters } from '../boot/chains'
import { readEnv } from '../env/env'
import { resetNetworks } from '../x402/networks/networks'
import { environmentFile, readAsked } from './environment-file'

const example = readFileSync(path.join(ROOT, '.env.example'), 'utf8')
afterEach(resetNetworks)

/** The variables of a file, as Node reads them. */
const variablesIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

describe('the file of variables', () => {
  test('serves the networks that the operator names, each with a signer whose address it prints', () => {
    const names = [
      'base-sepolia=https://base.example/a=b',
      'polygon-amoy=https://amoy.example',
      'solana-devnet=https://devnet.example',
    ]
    const { text, signers } = environmentFile(example, readAsked(names))
    const env = readEnv(variablesIn(text))
    expect(env.BASE_SEPOLIA_RPC_URL).toEqual(['https://base.example/a=b'])
    const chains = [...configuredChains(env, silentLog()), ...configuredClusters(env, silentLog())]
    expect(chains.map(({ chain }) => chain.title)).toEqual(['Base Sepolia', 'Polygon Amoy', 'Solana devnet'])
    const used = new Set(
      chains.flatMap(({ signers }) => [...signers.production, ...signers.sandbox].map(({ address }) => address)),
    )
    expect(new Set(signers.map(({ address }) => address))).toEqual(used)
  })

  test('keeps the comments, leaves out other networks, and makes new secrets each time', () => {
    const [one, other] = [1, 2].map(() => environmentFile(example, readAsked(['base', 'celo'])).text)
    expect(one).toContain('# Public origin, such as')
    expect(one).toMatch(/^CELO_RPC_URL=$/m)
    expect(one).toMatch(/^# CELO_SEND_RPC_URL=$/m)
    expect(one).not.toMatch(/POLYGON|CELO_SEPOLIA/)
    expect(one).toMatch(/^BASE_SEPOLIA_RPC_URL=$/m)
    for (const name of ['ADMIN_KEY', 'AUTH_SECRET', 'EVM_SIGNER_KEYS']) {
      expect(variablesIn(one ?? '')[name]).not.toBe('')
      expect(variablesIn(one ?? '')[name]).not.toBe(variablesIn(other ?? '')[name])
    }
    // No testnet is named, so the sandbox has no signer.
    expect(variablesIn(one ?? '').EVM_SANDBOX_SIGNER_KEYS).toBe('')
  })

  test('is not written for an unknown network, a bad URL or no network', () => {
    expect(() => readAsked(['bose'])).toThrow('There is no network bose. There are base, base-sepolia,')
    expect(() => readAsked(['base=ftp://x'])).toThrow('The endpoint of base is no http(s) URL.')
    expect(() => readAsked([])).toThrow('Name the networks')
  })
})

test('npm run init writes .env for its owner alone, examines it, and never replaces one', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(path.join(ROOT, '.env.example'), path.join(folder, '.env.example'))
  const { PATH = '', HOME = '' } = process.env
  const init = (...args: string[]) =>
    promisify(execFile)(
      process.execPath,
      ['--import', path.join(ROOT, 'node_modules/tsx/dist/loader.mjs'), path.join(ROOT, 'server/operations/init.ts'), ...args],
      {
        cwd: folder,
        env: { PATH, HOME, NODE_ENV: 'production' },
      },
    )
  const { stdout } = await init('base-sepolia')
  expect(stdout).toMatch(/^Wrote \.env\. .*\n {2}0x\w{40} pays gas on Base Sepolia\n {2}0x\w{40} pays gas on Base Sepolia\n/)
  expect(stdout).toMatch(/not set {2}BASE_SEPOLIA_RPC_URL: /)
  const file = path.join(folder, '.env')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const before = readFileSync(file, 'utf8')
  expect(stdout).not.toContain(variablesIn(before).ADMIN_KEY)
  expect(stdout).not.toContain(variablesIn(before).EVM_SIGNER_KEYS)
  await expect(init('base')).rejects.toThrow('move it away first')
  expect(readFileSync(file, 'utf8')).toBe(before)
})
