import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../test/support/database/database'
import { keepLog } from '../../test/support/log-lines'
import { testLog } from '../../test/support/logs'
import { newSvmKey } from '../../test/support/svm/harness'
import { createApp } from '../boot/app'
import { configuredChains, configuredClusters } from '../boot/chains'
import { envSchema, readEnv } from './env'

const ADMIN_KEY = 'a'.repeat(32)
const signer = generatePrivateKey()
const AUTH_SECRET = 'b'.repeat(32)
const production = { NODE_ENV: 'production', ADMIN_KEY, AUTH_SECRET }
const mainnet = {
  ...production,
  BASE_RPC_URL: 'https://rpc.test/secret-path',
  EVM_SIGNER_KEYS: signer,
  DATABASE_URL: 'postgresql://u:secret-password@db.test/q',
  BASE_URL: 'https://pay.test',
  KYT_URL: 'https://kyt.test',
}

/** The lines that refuse this environment; none when it can be used. */
function refused(source: Record<string, string>): string[] {
  try {
    readEnv(source)
    return []
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [first, ...lines] = error.message.split('\n')
    expect(first).toBe('the environment cannot be used:')
    return lines.map((line) => line.trim())
  }
}

describe('ADMIN_KEY', () => {
  test.each([{}, { NODE_ENV: 'production' }, { NODE_ENV: '' }, { NODE_ENV: 'production', ADMIN_KEY: '  ' }])(
    'is required in production, the default: %j',
    (source) => {
      expect(refused({ AUTH_SECRET, ...source })).toEqual([
        'ADMIN_KEY: is required in production; create one with openssl rand -hex 32',
      ])
    },
  )

  test('may be missing in tests and development', () => {
    expect([refused({ NODE_ENV: 'test' }), refused({ NODE_ENV: 'development' })]).toEqual([[], []])
  })

  test.each(['production', 'development', 'test'])('is never shorter than 32 characters, in %s neither', (NODE_ENV) => {
    expect(refused({ NODE_ENV, AUTH_SECRET, ADMIN_KEY: 'undefined' })).toEqual([
      'ADMIN_KEY: must have at least 32 characters; create one with openssl rand -hex 32',
    ])
    expect(refused({ NODE_ENV, AUTH_SECRET, ADMIN_KEY: `  ${'a'.repeat(31)}  ` })).toHaveLength(1)
    expect(refused({ NODE_ENV, AUTH_SECRET, ADMIN_KEY })).toEqual([])
  })

  test.each([`${ADMIN_KEY} b`, `${ADMIN_KEY}ü`])('is something that a header can carry: not %j', (key) => {
    expect(refused({ NODE_ENV: 'test', ADMIN_KEY: key })).toEqual(['ADMIN_KEY: must be ASCII without blanks'])
  })
})

test('a WalletConnect project id has 32 hex digits, and may be missing', () => {
  const withId = (id: string) => refused({ NODE_ENV: 'test', WALLETCONNECT_PROJECT_ID: id })
  expect([withId(''), withId('0123456789abcdef0123456789ABCDEF')]).toEqual([[], []])
  const line = 'WALLETCONNECT_PROJECT_ID: must have 32 hex digits'
  expect([withId('my project'), withId('0123')]).toEqual([[line], [line]])
})

describe('a mainnet signer', () => {
  test('starts with everything it needs', () => {
    expect(refused(mainnet)).toEqual([])
  })

  test('is refused without screening, unless the operator switches screening off', () => {
    const { KYT_URL: _, ...unscreened } = mainnet
    const line = 'KYT_URL: is required with a mainnet signer; KYT=off switches screening off'
    expect([refused(unscreened), refused({ ...unscreened, KYT: 'on' })]).toEqual([[line], [line]])
    expect(refused({ ...unscreened, KYT: 'off' })).toEqual([])
  })

  test('is refused on the embedded database, unless the operator takes the risk', () => {
    const line =
      'DATABASE_URL: is required with a mainnet signer; ALLOW_EMBEDDED_MAINNET=1 accepts the loss of payments in a power cut'
    expect(refused({ ...mainnet, DATABASE_URL: '' })).toEqual([line])
    expect(refused({ ...mainnet, DATABASE_URL: ' ', ALLOW_EMBEDDED_MAINNET: '0' })).toEqual([line])
    expect(refused({ ...mainnet, DATABASE_URL: '', ALLOW_EMBEDDED_MAINNET: '1' })).toEqual([])
  })

  test('is one that has a node: without it neither is asked for', () => {
    expect(refused({ ...production, EVM_SIGNER_KEYS: signer })).toEqual([])
    expect(refused({ ...production, BASE_RPC_URL: mainnet.BASE_RPC_URL })).toEqual([])
  })
})

describe('a signer key', () => {
  const chains = (keys: Record<string, string>) => () =>
    configuredChains(readEnv({ NODE_ENV: 'test', BASE_SEPOLIA_RPC_URL: 'http://127.0.0.1:1', ...keys }), testLog())
  const upper = `0x${signer.slice(2).toUpperCase()}`

  test.each([
    ['in both lists', { EVM_SIGNER_KEYS: signer, EVM_SANDBOX_SIGNER_KEYS: signer }],
    ['in both lists, in other letters', { EVM_SIGNER_KEYS: signer, EVM_SANDBOX_SIGNER_KEYS: `${generatePrivateKey()},${upper}` }],
    ['twice in one list', { EVM_SANDBOX_SIGNER_KEYS: `${signer}, ${upper}` }],
  ])('%s is refused by its address, never by itself', (_, keys) => {
    const message = `the key of ${privateKeyToAddress(signer)} appears twice in EVM_SIGNER_KEYS and EVM_SANDBOX_SIGNER_KEYS`
    expect(chains(keys)).toThrow(new RegExp(`^${message}$`, 'i'))
  })

  test.each<[string, string, string]>([
    ['an address', newSvmKey().address, 'is an address'],
    ['an EVM key', signer, 'is no secret key of 64 bytes'],
    ['a JSON array', '[1', 'is no secret key of 64 bytes'],
    ['one with a letter changed', mistyped(newSvmKey().secret), 'is mistyped or cut off'],
  ])('of Solana that is %s is refused by its variable and place, never by itself', (_, key, complaint) => {
    const clusters = () =>
      configuredClusters(readEnv({ NODE_ENV: 'test', SOLANA_SIGNER_KEYS: `${newSvmKey().secret},${key}` }), testLog())
    expect(clusters).toThrow(new RegExp(`^SOLANA_SIGNER_KEYS: key 2 ${complaint}`))
    if (key.length > 2) expect(clusters).not.toThrow(key.slice(2, 12))
  })

  test('that retires must be in a list', () => {
    const retiring = { EVM_SANDBOX_SIGNER_KEYS: signer, EVM_RETIRING_SIGNERS: privateKeyToAddress(signer) }
    expect(chains(retiring)).not.toThrow()
    const other = privateKeyToAddress(generatePrivateKey())
    expect(chains({ ...retiring, EVM_RETIRING_SIGNERS: other })).toThrow(
      `EVM_RETIRING_SIGNERS names ${other.toLowerCase()}, whose key is in no list of signer keys`,
    )
  })

  test('in one list only is taken up', () => {
    const [chain] = chains({ EVM_SIGNER_KEYS: signer, EVM_SANDBOX_SIGNER_KEYS: generatePrivateKey() })()
    expect([chain?.signers.production.length, chain?.signers.sandbox.length]).toEqual([1, 1])
  })
})

describe('BASE_URL', () => {
  const line =
    'BASE_URL: is required in production with a mainnet signer or OIDC_CLIENT_SECRET; wallets and browsers trust its host'
  const { BASE_URL: _, ...nowhere } = mainnet
  const oidc = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'q', OIDC_CLIENT_SECRET: 's' }

  test('is required in production where money or the accounts of people hang on it', () => {
    expect(refused(nowhere)).toEqual([line])
    expect(refused({ ...nowhere, BASE_URL: ' ' })).toEqual([line])
    expect(refused({ ...production, ...oidc })).toEqual([line])
    expect(refused({ ...production, ...oidc, BASE_URL: 'https://pay.test' })).toEqual([])
  })

  test('may be missing where every node and the identity provider are on this machine', () => {
    const nodes = { BASE_RPC_URL: 'http://127.0.0.1:8545', SOLANA_RPC_URL: '' }
    expect(refused({ ...nowhere, ...nodes })).toEqual([])
    expect(refused({ ...nowhere, ...nodes, BASE_RPC_URL: 'http://127.0.0.1:8545,https://node.test' })).toEqual([line])
    expect(refused({ ...production, ...oidc, OIDC_ISSUER: 'http://localhost:4000' })).toEqual([])
  })

  test('may be missing where neither does: http://localhost with the port is meant then', () => {
    expect(refused(production)).toEqual([])
    expect(refused({ ...production, OIDC_ISSUER: 'https://id.test', OIDC_AUDIENCE: 'q' })).toEqual([])
    expect(refused({ ...nowhere, NODE_ENV: 'development' })).toEqual([])
    expect(refused({ ...oidc, NODE_ENV: 'test' })).toEqual([])
  })

  test('a missing BASE_URL is logged at the start', async () => {
    const database = await freshDatabase()
    onTestFinished(() => database.close())
    const warningsOf = async (changed: Record<string, string>) => {
      const { log, lines } = keepLog()
      const app = await createApp(readEnv({ ...production, DATABASE_URL: database.url, ...changed }), log)
      await app.close()
      return lines.filter((text) => text.includes('BASE_URL')).map((text) => JSON.parse(text).msg)
    }
    expect(await warningsOf({})).toEqual([
      'BASE_URL is not set: wallets sign for http://localhost:3000, and browsers must show it',
    ])
    expect(await warningsOf({ BASE_URL: 'http://localhost:3000' })).toEqual([])
  })
})

test('no message holds a value, for any fault', () => {
  const poison = 's3cret value %zz'
  const names = Object.keys(envSchema.shape)
  const lines = names.flatMap((name) => refused({ NODE_ENV: 'test', [name]: poison }))
  // A folder, keys and names of other services; the keys of Solana are read later, each by its place.
  const anyText = /^(DATA_DIR|KYT_API_KEY|OIDC_(CLIENT_ID|CLIENT_SECRET|AUDIENCE)|SOLANA_(SANDBOX_)?SIGNER_KEYS)$/
  expect(lines.length).toBeGreaterThanOrEqual(names.filter((name) => !anyText.test(name)).length)
  const partly = ['https://u:s3cret@x:99999', `${signer},s3cret`, 's3cret'.repeat(9), 'redis://:s3cret%@h', 'mysql://s3cret']
  const others = names.flatMap((name) => partly.flatMap((value) => refused({ NODE_ENV: 'test', [name]: value })))
  expect(others.length).toBeGreaterThan(0)
  for (const line of [...lines, ...others]) {
    expect(line).toMatch(/^[A-Z_]+: \S/)
    expect(line).not.toMatch(/s3cret/)
    expect(line).not.toContain(signer.slice(2, 12))
  }
})

describe('PLAYGROUND_URL', () => {
  const playground = { ...production, PLAYGROUND_URL: 'http://localhost:4021/' }

  test('is the sample merchant of a service on this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '192.168.1.20', '[::1]', 'laptop']) {
      expect(refused({ ...playground, BASE_URL: `http://${host}:3000` })).toEqual([])
    }
    expect(readEnv(playground).PLAYGROUND_URL).toBe('http://localhost:4021')
  })

  test('is refused on a public service', () => {
    for (const host of ['pay.quittance.dev', '203.0.113.7', '[2001:db8::1]']) {
      expect(refused({ ...playground, BASE_URL: `https://${host}` })).toEqual([
        'PLAYGROUND_URL: is for local use only, and BASE_URL has a public host; leave it empty',
      ])
    }
  })
})

describe('another facilitator', () => {
  const remote = { NODE_ENV: 'test', REMOTE_STANDARD_URL: 'https://other.test/base', REMOTE_STANDARD_TOKEN: 'a-token' }

  test('needs no signer keys, only the node of a network that its tier is on', () => {
    const both = {
      BASE_RPC_URL: 'https://rpc.test',
      BASE_SEPOLIA_RPC_URL: 'https://rpc.test',
      KYT: 'off',
      ALLOW_EMBEDDED_MAINNET: '1',
    }
    const networksOf = (env: Record<string, string>) =>
      configuredChains(readEnv(env), testLog()).map(({ chain }) => chain.network)
    expect(networksOf({ ...remote, ...both })).toEqual(['eip155:8453', 'eip155:84532'])
    expect(networksOf({ NODE_ENV: 'test', ...both, REMOTE_SANDBOX_URL: 'https://other.test' })).toEqual(['eip155:84532'])
    expect([networksOf(remote), networksOf({ NODE_ENV: 'test', ...both })]).toEqual([[], []])
  })

  test('on Base needs screening and a real database as a signer does', () => {
    expect(refused({ ...remote, BASE_RPC_URL: 'https://rpc.test' })).toHaveLength(2)
  })

  test.each([
    ['REMOTE_STANDARD_URL', 'ftp://secret.test', 'must be an http(s) URL'],
    ['REMOTE_FLASH_URL', 'secret', 'must be an http(s) URL'],
    ['REMOTE_SANDBOX_TOKEN', 'sec ret', 'must be ASCII without blanks'],
  ])('%s = %j is refused without being quoted', (name, value, why) => {
    expect(refused({ ...remote, [name]: value })).toEqual([`${name}: ${why}`])
  })
})

/** A key with another letter near its end. */
function mistyped(key: string): string {
  return `${key.slice(0, -3)}${key.at(-3) === 'z' ? 'y' : 'z'}${key.slice(-2)}`
}

describe('PLAN_PRICES', () => {
  test('is a list of plans with dollars a month', () => {
    const { PLAN_PRICES } = readEnv({ NODE_ENV: 'test', PLAN_PRICES: 'starter=29, scale=499.50' })
    expect([...PLAN_PRICES]).toEqual([
      ['starter', '29'],
      ['scale', '499.50'],
    ])
  })

  test.each(['free=1', 'starter', 'starter=€29', 'starter=29.999'])('is never %j', (PLAN_PRICES) => {
    expect(refused({ NODE_ENV: 'test', PLAN_PRICES })).toEqual([expect.stringMatching(/^PLAN_PRICES: must be such as/)])
  })
})
