import type { Address } from 'viem'
import { provision } from '../../../server/accounts/tenants'
import type { App } from '../../../server/app'
import { explain } from '../../../server/explain/endpoints'
import { findSettlements, getSettlements, getSupported, lookUpSigned, settle, verify } from '../../../server/payments/endpoints'
import type { Prefix } from '../../../server/x402/networks/networks'
import { documented } from './documented'
import type { Harness } from './harness'

/** A whole answer, so that a test can compare it at once. */
export type Answer = { status: number; body: unknown; headers: Headers }

/** The API below one prefix. */
export type Endpoint = {
  verify: (body: unknown) => Promise<Answer>
  settle: (body: unknown, how?: { signal?: AbortSignal; headers?: Record<string, string> }) => Promise<Answer>
  supported: (headers?: Record<string, string>) => Promise<Answer>
  settlements: (idOrTransaction: string) => Promise<Answer>
  /** Finds settlements by what is known of the payment. */
  find: (query: Record<string, string>) => Promise<Answer>
  /** Looks up a signed payment. */
  lookUp: (body: unknown, query?: string) => Promise<Answer>
  explain: (question: unknown) => Promise<Answer>
}

/** A sandbox client with its own IP address. */
export type Client = Endpoint & { ip: string; subject: string }

let clients = 0
const newIp = () => `10.${++clients >> 8}.${clients & 255}.1`

/** A client that no rate limit or quota counts yet. */
export function newClient(app: App): Client {
  const ip = newIp()
  return { ip, subject: `ip:${ip}`, ...endpoint(app, 'sandbox', ip) }
}

/** A client with an API key, valid or not. */
export function keyHolder(app: App, key: string): { v1: Endpoint; flash: Endpoint } {
  const ip = newIp()
  return { v1: endpoint(app, 'v1', ip, key), flash: endpoint(app, 'flash', ip, key) }
}

/** A new tenant with its key. */
export type Merchant = ReturnType<typeof keyHolder> & { tenantId: string; subject: string; key: string }

/** Like `keyHolder`, on an instance with a cached key: it misses later changes until it reads the key again. */
export async function rememberedKey(app: App, key: string): Promise<ReturnType<typeof keyHolder>> {
  const { keyring } = app
  const record = await keyring.find(key, '10.0.0.1')
  let read = false
  return keyHolder(
    {
      ...app,
      keyring: {
        ...keyring,
        find: async (asked, address) => (read ? keyring.find(asked, address) : record),
        findAgain: (asked) => {
          read = true
          return keyring.findAgain(asked)
        },
      },
    },
    key,
  )
}

/** A merchant with a key that the admin created; on the plan growth if unset. */
export async function newMerchant(app: App, settings: Partial<Parameters<typeof provision>[1]> = {}): Promise<Merchant> {
  const { tenant, secret } = await provision(app, {
    owner: { kind: 'oidc', id: `owner-${++clients}` },
    plan: 'growth',
    name: '',
    historyEnabled: true,
    rps: null,
    settlementQuota: null,
    verificationQuota: null,
    allowedNetworks: [],
    payToAllow: [],
    maxAmount: null,
    shareTransactions: true,
    waitUntil: null,
    publicReceipts: false,
    secondChargeSeconds: null,
    claimAbove: null,
    claimAfterSeconds: null,
    claimMaxGasPrice: null,
    ...settings,
  })
  return { tenantId: tenant.id, subject: `tenant:${tenant.id}`, key: secret, ...keyHolder(app, secret) }
}

/** A merchant with a self-made key, which shares a quota with the owner's other keys of the plan. A new owner if unset. */
export async function ownMade(app: App, settings: Parameters<typeof newMerchant>[1] = {}): Promise<Merchant> {
  const { owner = { kind: 'oidc', id: `owner-${++clients}` }, plan = 'growth' } = settings
  const merchant = await newMerchant(app, { ...settings, owner, plan })
  await app.db.tenant.update({ where: { id: merchant.tenantId }, data: { ownQuota: false } })
  return { ...merchant, subject: `owner:${owner.kind}:${owner.id}:${plan}` }
}

const PATTERNS = { sandbox: '/sandbox', v1: '/v1/:key', flash: '/v1/:key/flash' } as const satisfies Record<Prefix, string>

function endpoint(app: App, prefix: Prefix, ip: string, key = ''): Endpoint {
  const standing = { 'content-type': 'application/json', 'x-quittance-client-ip': ip, 'x-request-id': 'test' }
  const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal, query = '') =>
    new Request(`http://quittance.test/${query}`, {
      method: 'POST',
      headers: { ...standing, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: signal ?? null,
    })
  const get = (query = '', headers: Record<string, string> = {}) =>
    new Request(`http://quittance.test/${query}`, { headers: { ...standing, ...headers } })
  const at = PATTERNS[prefix]
  return {
    verify: (body) => answerOf(`POST ${at}/verify`, verify[prefix].handle(app, post(body), { key })),
    settle: (body, { headers, signal } = {}) =>
      answerOf(`POST ${at}/settle`, settle[prefix].handle(app, post(body, headers, signal), { key })),
    supported: (headers) => answerOf(`GET ${at}/supported`, getSupported[prefix].handle(app, get('', headers), { key })),
    explain: (question) => answerOf(`POST ${at}/explain`, explain[prefix].handle(app, post(question), { key })),
    find: (query) =>
      answerOf(`GET ${at}/settlements`, findSettlements[prefix].handle(app, get(`?${new URLSearchParams(query)}`), { key })),
    lookUp: (body, query = '') =>
      answerOf(`POST ${at}/settlements/lookup`, lookUpSigned[prefix].handle(app, post(body, {}, undefined, query), { key })),
    settlements: (id) => answerOf(`GET ${at}/settlements/:id`, getSettlements[prefix].handle(app, get(), { key, id })),
  }
}

// An undocumented answer fails the test that gets it.
async function answerOf(asked: string, answer: Promise<Response>): Promise<Answer> {
  const response = await answer
  const text = await response.text()
  // A 304 has no body.
  const body = text === '' ? undefined : JSON.parse(text)
  return documented(asked, { status: response.status, headers: response.headers, body })
}

/** The remaining settlements and verifications from an answer's headers; null without the header. */
export function left({ headers }: Answer): { settlements: string | null; verifications: string | null } {
  return { settlements: headers.get('x-settlement-remaining'), verifications: headers.get('x-verification-remaining') }
}

/** The history rows of a recipient, without the fields that differ by run. */
export function historyOf({ app }: Harness, payTo: Address) {
  return app.db.history.findMany({
    where: { payTo: payTo.toLowerCase() },
    select: {
      payer: true,
      success: true,
      txHash: true,
      errorReason: true,
      amount: true,
      network: true,
      plan: true,
      tenantId: true,
    },
    orderBy: { createdAt: 'asc' },
  })
}

/** The number of transactions that our signers sent. */
export async function sentCount({ app, chain }: Harness): Promise<number> {
  const signers = [...app.networks.values()].flatMap(({ signers }) => Object.values(signers).flat())
  const counts = signers.map((address) => chain.client.getTransactionCount({ address: address as Address }))
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
