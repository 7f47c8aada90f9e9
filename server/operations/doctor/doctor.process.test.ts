import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../test/support/database/postgres'
import { type Harness, startHarness } from '../../../test/support/service/harness'
import { type Issuer, startIssuer } from '../../../test/support/service/issuer'
import { type Kyt, startKyt } from '../../../test/support/service/kyt'
import { ROOT } from '../../../test/support/source-files'
import { networkRow, resetNetworks } from '../../x402/networks/networks'
import { examineNetworks, report } from './doctor'
import type { Finding } from './findings'

let harness: Harness
let kyt: Kyt
let env: Record<string, string>
let unusedPort: number
beforeAll(async () => {
  ;[harness, kyt, unusedPort] = await Promise.all([startHarness({ production: true }), startKyt(), freePort()])
  env = { ...harness.env, KYT_URL: kyt.url, BASE_URL: 'https://pay.example' }
})
afterEach(resetNetworks)
afterAll(() => Promise.all([harness.close(), kyt.close()]))

const of = (findings: readonly Finding[], status: Finding['status']) =>
  findings.filter((finding) => finding.status === status).map(({ what }) => what)

describe('the doctor', () => {
  test('finds nothing wrong with a healthy service, and reports each part', async () => {
    const findings = await examineNetworks(env)
    expect(of(findings, 'wrong')).toEqual([])
    expect(of(findings, 'ok')).toEqual([
      'signatures',
      'DATABASE_URL',
      'migrations',
      'clock',
      'BASE_SEPOLIA_RPC_URL, endpoint 1',
      expect.stringMatching(/^signer 0x\w{40} on Base Sepolia \(sandbox\)$/),
      expect.stringMatching(/^signer 0x\w{40} on Base Sepolia \(production\)$/),
      'BASE_URL',
      'KYT_URL',
    ])
    expect(of(findings, 'not configured')).toContain('SOLANA_RPC_URL')
    expect(report(findings)).toContain('nothing is wrong')
  })

  test('warns of a factory of smart wallets without code on a network, says what to do, and calls nothing wrong', async () => {
    const [there, gone] = [networkRow('eip155:84532').assets[0].address, `0x${'f1'.repeat(20)}`]
    const findings = await examineNetworks({ ...env, EVM_WALLET_FACTORIES: `${there},${gone}` })
    expect(findings).toContainEqual({
      what: 'EVM_WALLET_FACTORIES on Base Sepolia',
      status: 'warning',
      summary: expect.stringMatching(new RegExp(`^no contract at ${gone}:`)),
      fix: expect.stringContaining('deploy the factory there'),
    })
    expect(report(findings)).toMatch(/warning {2}EVM_WALLET_FACTORIES on Base Sepolia: .*\n +fix: .*\n[\s\S]*\nnothing is wrong$/)
  })

  const broken: [string, () => Record<string, string>, string, RegExp][] = [
    ['a variable that cannot be used', () => ({ PORT: 'x' }), 'PORT', /must be a whole number/],
    ['a database that is down', () => ({ DATABASE_URL: `postgresql://x@127.0.0.1:${unusedPort}/x` }), 'DATABASE_URL', /./],
    ['an endpoint that is down', () => away('BASE_SEPOLIA_RPC_URL'), 'BASE_SEPOLIA_RPC_URL, endpoint 2', /./],
    [
      'an endpoint of another chain',
      () => ({ BASE_RPC_URL: harness.chain.url, KYT: 'off' }),
      'BASE_RPC_URL, endpoint 1',
      /not on Base/,
    ],
    [
      'a send endpoint of another chain',
      () => ({ BASE_SEND_RPC_URL: harness.chain.url }),
      'BASE_SEND_RPC_URL, endpoint 1',
      /not on Base/,
    ],
    [
      'a row that contradicts its chain',
      () => ({ EVM_NETWORKS: JSON.stringify([{ chainId: 84_532, assets: ['EURC'] }]) }),
      'BASE_SEPOLIA_RPC_URL, endpoint 1',
      /^no contract at EURC 0x808456/,
    ],
    [
      'a row of which a field is wrong',
      () => ({ EVM_NETWORKS: JSON.stringify([{ chainId: 137, title: 7 }]) }),
      'EVM_NETWORKS',
      /^row 1, title: must be a text$/,
    ],
    ['Redis that is down', () => ({ REDIS_URL: `redis://127.0.0.1:${unusedPort}` }), 'REDIS_URL', /does not answer/],
    ['screening that is down', () => ({ KYT_URL: `http://127.0.0.1:${unusedPort}/a-secret` }), 'KYT_URL', /cannot be reached/],
    ['an issuer that is down', () => issuerAt(`http://127.0.0.1:${unusedPort}`), 'OIDC_ISSUER', /could not be read/],
    [
      'a registry that is down',
      () => ({ AGENT_REGISTRY_URL: `http://127.0.0.1:${unusedPort}` }),
      'AGENT_REGISTRY_URL',
      /does not answer/,
    ],
    ['a facilitator that is down', () => ({ REMOTE_FLASH_URL: `http://127.0.0.1:${unusedPort}` }), 'REMOTE_FLASH_URL', /./],
    ['a collector that is down', () => collectorAt(`http://127.0.0.1:${unusedPort}`), 'OTEL_EXPORTER_OTLP_ENDPOINT', /./],
    ['an address in the clear', () => ({ BASE_URL: 'http://pay.quittance.dev' }), 'BASE_URL', /is not https/],
  ]
  const away = (name: string) => ({ [name]: `${env[name]},http://127.0.0.1:${unusedPort}/v2/a-secret` })
  const issuerAt = (url: string) => ({ OIDC_ISSUER: url, OIDC_AUDIENCE: 'x' })
  const collectorAt = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url })

  test.each(broken)('finds %s, and gives the fix without a secret or a URL', async (_what, changed, what, summary) => {
    const findings = await examineNetworks({ ...env, ...changed() })
    expect(findings.find((finding) => finding.what === what)).toMatchObject({
      status: 'wrong',
      summary: expect.stringMatching(summary),
      fix: expect.stringMatching(/.{10}/),
    })
    expect(report(findings)).not.toMatch(/a-secret|http:\/\/127|postgresql:\/\//)
  })

  test('warns of an endpoint without signer, and says which variable lacks', async () => {
    const { EVM_SIGNER_KEYS: _, EVM_SANDBOX_SIGNER_KEYS: __, ...unsigned } = env
    const findings = await examineNetworks({ ...unsigned, SOLANA_DEVNET_RPC_URL: `http://127.0.0.1:${unusedPort}` })
    expect(findings).toContainEqual({
      what: 'BASE_SEPOLIA_RPC_URL',
      status: 'warning',
      summary: 'endpoint without signer: Base Sepolia is not served',
      fix: 'set EVM_SANDBOX_SIGNER_KEYS or EVM_SIGNER_KEYS, or remove the endpoint',
    })
    expect(findings).toContainEqual(
      expect.objectContaining({
        what: 'SOLANA_DEVNET_RPC_URL',
        status: 'warning',
        fix: expect.stringContaining('SOLANA_SANDBOX_SIGNER_KEYS'),
      }),
    )
  })

  test('finds a signer without ether', async () => {
    const key = `0x${'42'.repeat(32)}`
    const findings = await examineNetworks({ ...env, EVM_SIGNER_KEYS: key })
    expect(findings).toContainEqual(expect.objectContaining({ status: 'wrong', fix: expect.stringMatching(/^send ETH to 0x/) }))
    expect(report(findings)).not.toContain('4242')
  })

  test('finds a key that another program uses, and an issuer and its keys', async () => {
    const issuer: Issuer = await startIssuer()
    const [lane] = await harness.database.db.lane.findMany({ where: { class: 'production' } })
    await harness.chain.client.setNonce({ address: `0x${lane?.address.slice(2)}`, nonce: 77 })
    const findings = await examineNetworks({ ...env, OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'x' })
    expect(of(findings, 'wrong')).toEqual([expect.stringMatching(/\(production\)$/)])
    expect(report(findings)).toContain('the chain counts 77 transactions and the ledger')
    expect(of(findings, 'ok')).toContain('OIDC_ISSUER')
    await issuer.close()
  })
})

test('the program prints a line for each and fails when something is wrong', async () => {
  const { PATH = '', HOME = '' } = process.env
  const program = ['--import', 'tsx', 'server/operations/doctor/main.ts']
  const changed = { ...env, KYT_URL: `http://127.0.0.1:${unusedPort}` }
  const failed = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { PATH, HOME, NODE_ENV: 'test', ...changed },
  }).catch((error: { code: number; stdout: string }) => error)
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/WRONG {4}KYT_URL: .*\n +fix: /) })
})

test('it says which library makes signatures where the native one does not load', async () => {
  const { PATH = '', HOME = '' } = process.env
  const program = ['--require', './test/support/without-addon.cjs', '--import', 'tsx', 'server/operations/doctor/main.ts']
  const said = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { PATH, HOME, NODE_ENV: 'test', ...env },
  }).catch((error: { stdout: string; stderr: string }) => error)
  expect(said.stdout + said.stderr).toMatch(
    /warning {2}signatures: by libsecp256k1 in WebAssembly, because the addon of secp256k1 does not load on .*\n +fix: /,
  )
})
