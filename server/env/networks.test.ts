import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../test/support/source-files'
import {
  addedNetworks,
  assetOn,
  mainAsset,
  networkIds,
  networkRow,
  prefixNetworks,
  readNetwork,
  resetNetworks,
} from '../x402/networks/networks'
import { readEnv } from './env'
import { evmNetworks } from './networks'

afterEach(resetNetworks)

const key = generatePrivateKey()
const environment = { NODE_ENV: 'test', KYT: 'off', ALLOW_EMBEDDED_MAINNET: '1' }
const TOKEN = `0x${'ab'.repeat(20)}`

/** A network that no package knows. */
const local = {
  chainId: 31_337,
  slug: 'local',
  title: 'Local',
  testnet: true,
  explorer: null,
  coin: { symbol: 'ETH', decimals: 18 },
  blockSeconds: 1,
  finalizedSeconds: 2,
  fees: 'legacy',
  depth: null,
  rpc: ['https://rpc.test/s3cret'],
  assets: [{ address: TOKEN, symbol: 'TUSD', decimals: 6, domain: { name: 'Test Dollar', version: '1' } }],
}
const listing = (...rows: unknown[]) => ({ ...environment, EVM_NETWORKS: JSON.stringify(rows) })

/** The lines that refuse this environment; none when it can be used. */
function refused(source: Record<string, string>): string[] {
  try {
    readEnv(source)
    return []
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
}

describe('a built-in network', () => {
  test('is foreign without an endpoint, and known with one', () => {
    readEnv(environment)
    expect(readNetwork('polygon')).toEqual({ foreign: 'polygon' })
    readEnv({ ...environment, POLYGON_RPC_URL: 'https://rpc.test', ARBITRUM_SEPOLIA_RPC_URL: 'https://rpc.test' })
    expect(readNetwork('polygon')).toEqual({ known: 'eip155:137' })
    expect(networkIds.slice(4)).toEqual(['eip155:137', 'eip155:421614'])
    expect(prefixNetworks.sandbox).toContain('eip155:421614')
    expect(prefixNetworks.sandbox).not.toContain('eip155:137')
    expect(prefixNetworks.v1).toEqual(expect.arrayContaining(['eip155:137', 'eip155:421614']))
  })

  test('has its endpoints, flash and send endpoints and signers by its name', () => {
    const variables = {
      CELO_RPC_URL: 'https://a.test,https://b.test',
      CELO_FLASH_RPC_URL: 'https://c.test',
      CELO_SEND_RPC_URL: 'https://d.test',
      CELO_SIGNER_KEYS: key,
    }
    const [, , celo] = evmNetworks(readEnv({ ...environment, ...variables }))
    expect(celo).toMatchObject({
      row: { chainId: 42_220 },
      urls: ['https://a.test', 'https://b.test'],
      flashUrls: ['https://c.test'],
      sendUrls: ['https://d.test'],
      signerKeys: [key],
      names: { urls: 'CELO_RPC_URL', sendUrls: 'CELO_SEND_RPC_URL', signerKeys: 'CELO_SIGNER_KEYS' },
    })
  })

  test('is a mainnet like Base for what a mainnet signer needs', () => {
    const production = {
      NODE_ENV: 'production',
      ADMIN_KEY: 'a'.repeat(32),
      AUTH_SECRET: 'b'.repeat(32),
      DATABASE_URL: 'postgresql://d',
    }
    const signer = { EVM_SIGNER_KEYS: key, BASE_URL: 'https://pay.test' }
    const line = 'KYT_URL: is required with a mainnet signer; KYT=off switches screening off'
    expect(refused({ ...production, ...signer, POLYGON_RPC_URL: 'https://rpc.test' })).toEqual([line])
    expect(refused({ ...production, ...signer, POLYGON_AMOY_RPC_URL: 'https://rpc.test' })).toEqual([])
    expect(
      refused({ ...production, POLYGON_RPC_URL: 'https://rpc.test', POLYGON_SIGNER_KEYS: key, BASE_URL: 'https://pay.test' }),
    ).toEqual([line])
  })

  test('can sell credits', () => {
    const env = { ...environment, PURCHASE_NETWORKS: 'polygon', PURCHASE_PAY_TO_EVM: TOKEN }
    expect(refused(env)).toEqual([expect.stringMatching(/^PURCHASE_NETWORKS: each must be one of base, base-sepolia/)])
    expect(readEnv({ ...env, POLYGON_RPC_URL: 'https://rpc.test' }).PURCHASE_NETWORKS).toEqual(['eip155:137'])
  })

  test('sells no credits for a token that is no dollar of six decimals', () => {
    const env = { ...environment, PURCHASE_NETWORKS: 'mezo', PURCHASE_PAY_TO_EVM: TOKEN, MEZO_RPC_URL: 'https://rpc.test' }
    const line = 'PURCHASE_NETWORKS: credits cost dollars, and Mezo has no dollar token of six decimals; leave it out'
    expect(refused(env)).toEqual([line])
  })
})

/** The values of EVM_NETWORKS that a page shows: JSON lists, and lines that set it. */
function examplesIn(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8')
  const lists = [...text.matchAll(/^```json\n(\[.*?\])\n```/gms)]
  const lines = [...text.matchAll(/^(?:# ?)?EVM_NETWORKS=(.*)$/gm)]
  return [...lists, ...lines].map(([, value = '']) => value)
}

describe('EVM_NETWORKS', () => {
  test.each(['docs/networks.md', '.env.example'])('takes every example of %s', (file) => {
    const examples = examplesIn(file)
    expect(examples).not.toEqual([])
    for (const EVM_NETWORKS of examples) {
      expect(refused({ ...environment, EVM_NETWORKS })).toEqual([])
      resetNetworks()
    }
  })

  test('adds a network by a whole row, from the variable or from a file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'networks-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'networks.json')
    writeFileSync(file, JSON.stringify([local]))
    for (const source of [listing(local), { ...environment, EVM_NETWORKS: file }]) {
      const added = evmNetworks(readEnv(source)).at(-1)
      expect(added).toMatchObject({ urls: ['https://rpc.test/s3cret'], signerKeys: [], names: { urls: 'EVM_NETWORKS' } })
      expect(networkRow('eip155:31337')).toMatchObject({ name: 'local', fees: 'legacy', gasPercent: 100, tip: 1_000_000n })
      expect(readNetwork('local')).toEqual({ known: 'eip155:31337' })
      resetNetworks()
    }
  })

  test('switches on a further asset of a known network by its symbol, and leaves the rest of the row', () => {
    const before = mainAsset('eip155:8453')
    readEnv(listing({ chainId: 8_453, assets: ['EURC'], tipGwei: 0.5 }))
    expect(networkRow('eip155:8453')).toMatchObject({ title: 'Base', tip: 500_000_000n, depth: null })
    expect(mainAsset('eip155:8453')).toEqual(before)
    expect(assetOn('eip155:8453', '0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42')).toMatchObject({ symbol: 'EURC', decimals: 6 })
    expect(addedNetworks().map(({ chainId }) => chainId)).toEqual([8_453])
  })

  test('gives a built-in network its endpoints and signers in place of the variables', () => {
    const source = {
      ...listing({ chainId: 137, rpc: 'https://own.test', sendRpc: ['https://private.test'], signerKeys: [key] }),
      POLYGON_RPC_URL: 'https://rpc.test',
      POLYGON_SEND_RPC_URL: 'https://sends.test',
    }
    const polygon = evmNetworks(readEnv(source)).at(-1)
    expect(polygon).toMatchObject({
      urls: ['https://own.test'],
      sendUrls: ['https://private.test'],
      signerKeys: [key],
      names: { urls: 'EVM_NETWORKS', sendUrls: 'EVM_NETWORKS', flashUrls: 'POLYGON_FLASH_RPC_URL' },
    })
  })

  test.each<[string, unknown, string]>([
    ['a field of another type', { ...local, title: 7 }, 'row 1, title: must be a text'],
    [
      'a part of an asset',
      { ...local, assets: [{ ...local.assets[0], domain: { name: 'x' } }] },
      'row 1, assets.0.domain.version: is missing',
    ],
    ['a bad address', { chainId: 137, multicall: '0x12' }, 'row 1, multicall: must be an address: 0x and 40 hex digits'],
    ['an unknown field', { chainId: 137, slugg: 'x' }, 'row 1, has unknown fields (slugg); docs/networks.md lists the fields'],
    ['no chain id', { slug: 'x' }, 'chainId: is missing'],
    ['a tip that the ceiling excludes', { chainId: 137, feeMaxGwei: 30 }, 'row 1, feeMaxGwei: must be more than tipGwei'],
    [
      'a name that another network has',
      { ...local, slug: 'polygon' },
      'row 1, slug: is the name of another network; choose another one',
    ],
    ['a name that v1 clients use for another chain', { ...local, slug: 'iotex' }, 'row 1, slug: is the name of another network'],
    ['another name for a built-in network', { chainId: 137, slug: 'matic' }, 'row 1, slug: is fixed for Polygon; leave it out'],
    ['test money on a mainnet', { chainId: 137, testnet: true }, 'row 1, testnet: is fixed for Polygon; leave it out'],
    [
      'a symbol that is not known there',
      { chainId: 137, assets: ['EURC'] },
      'names a symbol that is not known there (known: none)',
    ],
    [
      'other decimals for a known symbol',
      { ...local, assets: [{ ...local.assets[0], symbol: 'usdc', decimals: 18 }] },
      'row 1, assets: usdc has 6 decimals on other networks and 18 here; choose another symbol',
    ],
    ['two assets of one symbol', { chainId: 137, assets: [{ ...local.assets[0], symbol: 'USDC' }] }, 'two have the same symbol'],
    ['an endpoint that is no URL', { ...local, rpc: ['s3cret'] }, 'each must be an http(s) URL'],
    ['a key that is none', { ...local, signerKeys: ['s3cret'] }, 'each key must be 0x and 64 hex digits'],
  ])('names row, field and what was expected for %s', (_what, row, message) => {
    const [line = '', ...more] = refused(listing(row))
    expect(line).toMatch(/^EVM_NETWORKS: row 1, /)
    expect(line).toContain(message)
    expect(line).not.toContain('s3cret')
    expect(more).toEqual([])
  })

  test('says which fields a network that is not built in lacks', () => {
    expect(refused(listing({ chainId: 31_337, slug: 'local' }))).toEqual([
      expect.stringMatching(/^EVM_NETWORKS: row 1, title: is missing; .*depth: is missing \(.* its row must be whole/),
    ])
    const { rpc: _, ...offline } = local
    expect(refused(listing(offline))).toEqual([expect.stringContaining('row 1, rpc: must have an endpoint')])
  })

  test('is refused when two rows contradict each other', () => {
    expect(refused(listing(local, local))).toEqual(['EVM_NETWORKS: row 2, chainId: has a row already; join the two'])
    const second = { ...local, chainId: 31_338, assets: [{ ...local.assets[0], decimals: 18 }] }
    expect(refused(listing(local, { ...second, slug: 'other' }))).toEqual([
      'EVM_NETWORKS: row 2, assets: TUSD has 6 decimals on other networks and 18 here; choose another symbol',
    ])
    expect(refused(listing(local, second))).toEqual([expect.stringContaining('row 2, slug: is the name of another network')])
  })

  test.each(['/no/such/s3cret.json', '[{"chainId": 1', '{"chainId":137}', '7'])(
    'is a list or a file with one, not %j',
    (value) => {
      const [line = ''] = refused({ ...environment, EVM_NETWORKS: value })
      expect(line).toMatch(/^EVM_NETWORKS: must be a JSON list of networks, or the path of a/)
      expect(line).not.toContain('s3cret')
    },
  )
})
