import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { x402HTTPClient } from '@x402/core/client'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { startMerchant } from '@/devnet/merchant'
import { createPayer, type PaidAnswer } from '@/devnet/payer'
import { addressOf, newSecretKey } from '@/devnet/solana/keys'
import { openWallet } from '@/examples/wallet'
import { packedPackage } from '@/packages/quittance/test/packed-world'
import { mintSecret, signedHeaders } from '@/server/webhooks/messages'
import { createSendWebhook } from '@/server/webhooks/receiver'
import { wallet } from '@/test/interop/official-clients'
import { newPermit2Payer } from '@/test/support/permit2/permit2'
import { LONG, newAddress, PRICE, programHarness } from '@/test/support/service/program-harness'
import { isInstalled, openMerchant, runCommands, runModule } from '@/test/support/service/shown-programs'
import { snippetsIn } from '@/test/support/snippets'
import { merchantPrograms } from '../../client/programs/merchants'
import { Guide } from './guides/guide'
import { guides, isGuide } from './pages'

const service = programHarness()
let shown: Map<string, string>
beforeAll(async () => {
  const { baseUrl, issuer } = service()
  const tokens = { issuer: issuer.url, audience: 'quittance' }
  const names = Object.keys(guides).filter(isGuide)
  const pages = names.map((name) => snippetsIn(<Guide name={name} baseUrl={baseUrl} tokens={tokens} />))
  shown = new Map((await Promise.all(pages)).flatMap((page) => [...page]))
})

/** A program of the page with its placeholders filled in. */
function filled(name: string, own: Record<string, string> = {}): string {
  const text = shown.get(name)
  if (text === undefined) throw new Error(`/docs shows nothing called ${name}`)
  for (const placeholder of Object.keys(own)) if (!text.includes(placeholder)) throw new Error(`${name} has no ${placeholder}`)
  return Object.entries(own).reduce((program, [placeholder, word]) => program.replaceAll(placeholder, word), text)
}

const answers = () => service().answers()
const someWallet = () => wallet(service().networks.sepolia.chain)

const programName = ({ name, file }: (typeof merchantPrograms)[number]) => `${name}: ${file}`

test('every program of the guides is known here', () => {
  expect([...shown.keys()]).toEqual([
    programName(merchantPrograms[0]),
    'Install and run',
    ...merchantPrograms.slice(1).map(programName),
    'Check the server',
    'You see',
    'PAYMENT-REQUIRED, decoded from base64',
    'Install the client',
    'pay.mjs',
    'Run it',
    'The answer',
    'PAYMENT-RESPONSE, decoded from base64',
    ...merchantPrograms.map(({ name }) => `${name}: changed lines`),
    'Verify and settle',
    'weather.mjs, with the package',
    'weather.mjs, by hand',
    'Two facilitators',
    'tokens.mjs',
    'pay-by-use.mjs',
    'stream.mjs',
    'stream.py',
    'pay-by-channel.mjs',
    'settlements.mjs',
    'Your figures',
    'Apply a key',
    'agent.mjs',
    'Buy credits by hand',
    'mcp.json',
    'Ethereum',
    'Solana',
    'webhook.mjs, with the package',
    'webhook.py, with the package',
    'webhook.mjs, by hand',
    'The body of a webhook',
    'Prices, with the discovery extension',
  ])
})

describe.each(merchantPrograms)('a server that is paid: $name', (program) => {
  const { name } = program
  const cannotRun = name === 'Python' && !isInstalled('python3')
  test.skipIf(cannotRun)(
    cannotRun ? 'skipped: no python3 on the path' : 'sells in the sandbox to the official client',
    async () => {
      const payTo = newAddress()
      const server = await openMerchant(name, filled(programName(program), { '0xYourAddress': payTo }))
      try {
        expect(await runCommands(filled('Check the server', { 'http://localhost:8402/weather': server.url }), {})).toMatch(
          /^HTTP\/1\.[01] 402 /,
        )
        const paid = await createPayer(await someWallet()).pay(server.url)
        expect(paid).toMatchObject({ status: 200, body: { weather: 'sunny' }, receipt: { success: true } })
        expect(await service().networks.sepolia.chain.tokens(payTo)).toBe(PRICE)
        expect(answers()).toContain('POST /sandbox/settle 200')
      } finally {
        await server.close()
      }
    },
    LONG,
  )
})

test(
  'a client that pays: the merchant receives the money',
  async () => {
    const payTo = newAddress()
    const merchant = await startMerchant({ facilitatorUrl: `${service().baseUrl}/sandbox`, payTo, network: 'eip155:84532' })
    const program = filled('pay.mjs', { 'https://merchant.example': merchant.url })
    expect(await runModule(program, { PRIVATE_KEY: await someWallet() })).toMatch(/^200 \{"city"/)
    await merchant.stop()
    expect(await service().networks.sepolia.chain.tokens(payTo)).toBe(PRICE)
    service().recorder.take()
  },
  LONG,
)

test(
  'a server and a client by use: the merchant receives what was used of the maximum',
  async () => {
    const { chain } = service().networks.sepolia
    const [key, payTo] = [generatePrivateKey(), newAddress()]
    await newPermit2Payer(chain, 1_000_000n, privateKeyToAccount(key))
    const server = await openMerchant('Express', filled('tokens.mjs', { '0xYourAddress': payTo }))
    try {
      const { origin } = new URL(server.url)
      const program = filled('pay-by-use.mjs', { 'https://merchant.example': origin })
      expect(await runModule(program, { PRIVATE_KEY: key })).toMatch(/^7650 \{"text"/)
      expect(await chain.tokens(payTo)).toBe(7_650n)
    } finally {
      await server.close()
      service().recorder.take()
    }
  },
  LONG,
)

test(
  'a server and a client by channel: ten answers by one deposit, and what they did not cost comes back',
  async () => {
    const { chain } = service().networks.sepolia
    const [key, payTo] = [await someWallet(), newAddress()]
    const packages = await packedPackage(tmpdir())
    const place = { packages, env: { FACILITATOR_URL: await service().facilitatorUrl() } }
    const server = await openMerchant('Express', filled('stream.mjs', { '0xYourAddress': payTo }), place)
    try {
      const { origin } = new URL(server.url)
      const local = { 'https://merchant.example': origin, 'http()': `http('${chain.url}')` }
      const printed = await runModule(filled('pay-by-channel.mjs', local), { PRIVATE_KEY: key })
      expect(printed.match(/^200 \{ part: 1 \}$/gm)).toHaveLength(10)
      expect(printed).toContain('success: true')
      expect(await chain.tokens(privateKeyToAccount(key).address)).toBe(1_000_000n - 10n * 100n)
    } finally {
      await server.close()
      rmSync(packages, { recursive: true, force: true })
      service().recorder.take()
    }
  },
  LONG,
)

test(
  'verify and settle by hand: verifies, settles and looks up an official payment',
  async () => {
    const payTo = newAddress()
    const merchant = await startMerchant({ facilitatorUrl: `${service().baseUrl}/sandbox`, payTo, network: 'eip155:84532' })
    const HEADER = await paymentFor(await fetch(`${merchant.url}/weather`), await someWallet())
    await merchant.stop()
    service().recorder.take()
    await runCommands(filled('Verify and settle', { '0xYourAddress': payTo }), { HEADER })
    expect(answers()).toEqual([
      'GET /sandbox/supported 200',
      'POST /sandbox/verify 200',
      'POST /sandbox/settle 200',
      'GET /sandbox/settlements/:id 200',
    ])
    expect(await service().networks.sepolia.chain.tokens(payTo)).toBe(PRICE)
  },
  LONG,
)

/** The payment header of the official client for a 402. */
async function paymentFor(challenge: Response, key: `0x${string}`): Promise<string> {
  const client = new x402HTTPClient(registerExactEvmScheme(new x402Client(), { signer: privateKeyToAccount(key) }))
  const body = await challenge.json()
  const offer = client.getPaymentRequiredResponse((name) => challenge.headers.get(name), body)
  return client.encodePaymentSignatureHeader(await client.createPaymentPayload(offer))['PAYMENT-SIGNATURE'] ?? ''
}

describe('an agent', () => {
  test(
    'buys, calls and checks with the program',
    async () => {
      expect(await runModule(filled('agent.mjs'), { PRIVATE_KEY: await someWallet() })).toMatch(/^1000 1000 \[/)
      expect(answers()).toEqual([
        'POST /api/v1/agent/purchase 402',
        'POST /api/v1/agent/purchase 200',
        'GET /v1/:key/supported 200',
        'GET /api/v1/agent/balance 200',
      ])
    },
    LONG,
  )

  test(
    'does the same by hand with the shown message',
    async () => {
      const key = await someWallet()
      const account = privateKeyToAccount(key)
      const offered = await fetch(`${service().baseUrl}/api/v1/agent/purchase?credits=1000`)
      const PAYMENT = await paymentFor(offered, key)
      const MESSAGE = messageOf('Ethereum', account.address)
      const SIGNATURE = await account.signMessage({ message: MESSAGE })
      service().recorder.take()
      await runCommands(filled('Buy credits by hand'), { PAYMENT, MESSAGE, SIGNATURE })
      expect(answers()).toEqual([
        'GET /api/v1/agent/purchase 402',
        'POST /api/v1/agent/purchase 200',
        'POST /api/v1/auth/siwe 200',
        'GET /api/v1/agent/balance 200',
        'GET /api/v1/agent/history 200',
        'PATCH /api/v1/agent/config 200',
      ])
    },
    LONG,
  )

  test('signs in with a Solana wallet and the shown message', async () => {
    const key = newSecretKey()
    const { sign } = await openWallet('solana', key)
    const message = messageOf('Solana', addressOf(key))
    const headers = { 'X-SIWE-Message': Buffer.from(message).toString('base64'), 'X-SIWE-Signature': await sign(message) }
    await fetch(`${service().baseUrl}/api/v1/auth/siwe`, { method: 'POST', headers })
    expect(answers()).toEqual(['POST /api/v1/auth/siwe 200'])
  })
})

/** The sign-in message of the page with current times. */
function messageOf(kind: 'Ethereum' | 'Solana', address: string): string {
  const example = {
    Ethereum: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    Solana: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
  }
  const [now, later] = [new Date(), new Date(Date.now() + 600_000)].map((time) => time.toISOString())
  return filled(kind, {
    [example[kind]]: address,
    '2026-11-21T12:00:00Z': now ?? '',
    '2026-11-21T12:10:00Z': later ?? '',
  })
}

describe('a merchant with a token of the identity provider', () => {
  test(
    'reads its settlements and figures',
    async () => {
      const facilitatorUrl = await service().facilitatorUrl()
      const merchant = await startMerchant({ facilitatorUrl, payTo: newAddress(), network: 'eip155:84532' })
      const payer = createPayer(await someWallet())
      const paid = [await payer.pay(`${merchant.url}/weather`), await payer.pay(`${merchant.url}/weather`)]
      await merchant.stop()
      service().recorder.take()

      const TOKEN = await service().issuer.token({ sub: 'owner' })
      const printed = await runModule(filled('settlements.mjs', { 'limit=100': 'limit=1' }), { TOKEN })
      const line = ({ receipt }: PaidAnswer) =>
        expect.stringMatching(new RegExp(`^\\S+ paid 1000 eip155:84532 ${receipt?.transaction}$`))
      expect(printed.trimEnd().split('\n')).toEqual(paid.toReversed().map(line))
      await runCommands(filled('Your figures'), { TOKEN })
      const history = 'GET /api/me/history 200'
      expect(answers()).toEqual([history, history, history, 'GET /api/me/analytics 200'])
    },
    LONG,
  )

  test(
    'makes a key as it is described, and changes it the next time',
    async () => {
      service().recorder.take()
      const TOKEN = await service().issuer.token({ sub: 'applies-keys' })
      const made = JSON.parse(await runCommands(filled('Apply a key'), { TOKEN }))
      const changed = JSON.parse(await runCommands(filled('Apply a key', { '"5000000"': '"7000000"' }), { TOKEN }))
      expect([made.max_amount, changed.max_amount, changed.id]).toEqual(['5000000', '7000000', made.id])
      const keys = '/api/me/keys'
      expect(answers().map((one) => one.replace(made.id, ':id'))).toEqual([
        `GET ${keys} 200`,
        `POST ${keys} 201`,
        `GET ${keys} 200`,
        `PATCH ${keys}/:id 200`,
      ])
    },
    LONG,
  )
})

test('the entry for MCP clients leads to the tools that its text counts', async () => {
  const { mcpServers } = JSON.parse(filled('mcp.json'))
  const client = new Client({ name: 'reader', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpServers.quittance.url)))
  const { tools } = await client.listTools()
  await client.close()
  expect(tools).toHaveLength(6)
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
})

describe('a server that receives webhooks', () => {
  test.each(['with the package', 'by hand'])(
    '%s: accepts only fresh messages signed with its secret',
    async (way) => {
      const packages = await packedPackage(tmpdir())
      const secret = mintSecret()
      const own = { 'process.env.WEBHOOK_SECRET': `'${secret}'`, Listening: 'Selling' }
      const server = await openMerchant('Express', filled(`webhook.mjs, ${way}`, own), { packages })
      const url = new URL('/webhook', server.url).href
      try {
        const body = filled('The body of a webhook')
        const now = Math.floor(Date.now() / 1_000)
        const bring = createSendWebhook({ privateHosts: true })
        const sent = (secrets: string[], timestamp = now, altered = body) =>
          bring(url, signedHeaders(secrets, { id: 'one', timestamp, body }), altered)
        expect(await sent([secret])).toEqual({ status: 204 })
        expect(await sent([mintSecret(), secret])).toEqual({ status: 204 })
        expect(await sent([mintSecret()])).toEqual({ status: 401 })
        expect(await sent([secret], now - 3_600)).toEqual({ status: 401 })
        expect(await sent([secret], now, body.replace('1000', '9000'))).toEqual({ status: 401 })
        expect(await bring(url, {}, body)).toEqual({ status: 401 })
      } finally {
        await server.close()
        rmSync(packages, { recursive: true, force: true })
      }
    },
    LONG,
  )
})
