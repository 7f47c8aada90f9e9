import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Chain, startChain } from '../../../devnet/chain'
import { fundedKey } from '../../../test/support/chain/funded-key'
import { type FreshDatabase, freshDatabase } from '../../../test/support/database/database'
import { type RpcProxy, startRpcProxy } from '../../../test/support/nodes/faulty-node'
import { signed, v2Body } from '../../../test/support/payloads/payments'
import { ADMIN_KEY } from '../../../test/support/service/harness'
import { type Kyt, startKyt } from '../../../test/support/service/kyt'
import { startMainProcess } from '../../../test/support/service/main-process'
import { readEnv } from '../../env/env'
import { traceSettings } from './telemetry'

const Attributes = z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: Attributes,
})
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})
type Span = z.infer<typeof Span>

/** A collector that keeps what it is sent, and the headers with which. */
async function startCollector() {
  const bodies: string[] = []
  const keys: unknown[] = []
  const server = createServer(async (request, response) => {
    keys.push(request.headers['x-collector-key'])
    bodies.push(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    keys,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
    spans: () =>
      bodies.flatMap((body) =>
        Export.parse(JSON.parse(body)).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
  }
}

let chain: Chain
let node: RpcProxy
let kyt: Kyt
let database: FreshDatabase
let collector: Awaited<ReturnType<typeof startCollector>>
beforeAll(async () => {
  ;[database, chain, kyt, collector] = await Promise.all([
    freshDatabase(),
    startChain({ chainId: 84532, blockTimeSeconds: 0.2 }),
    startKyt(),
    startCollector(),
  ])
  node = await startRpcProxy(chain.url)
})
afterAll(() => Promise.all([database.close(), chain.stop(), node.close(), kyt.close(), collector.close()]))

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }

describe('where a collector is configured', () => {
  let spans: Span[]
  const secrets: string[] = []
  const named = (name: string) => spans.filter((span) => span.name === name)
  const request = () => named('POST /v1/:key/settle')[0]
  const parentOf = (span: Span | undefined) => spans.find(({ spanId }) => spanId === span?.parentSpanId)

  beforeAll(async () => {
    const env = {
      DATABASE_URL: database.url,
      BASE_SEPOLIA_RPC_URL: `${node.url}/v2/a-secret-of-the-node-provider`,
      EVM_SIGNER_KEYS: await fundedKey(chain),
      ADMIN_KEY,
      KYT_URL: `${kyt.url}/a-secret-in-the-kyt-url`,
      KYT_API_KEY: 'a-secret-of-the-kyt-service',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20secret%20of%20the%20collector',
    }
    const service = await startMainProcess(env)
    try {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_KEY}` }
      const body = JSON.stringify({ owner_id: 'merchant-9', plan: 'growth' })
      const made = await fetch(`${service.url}/admin/tenants`, { method: 'POST', headers, body })
      const { api_key: key } = z.object({ api_key: z.string() }).parse(await made.json())
      const payer = privateKeyToAccount(generatePrivateKey())
      await chain.mint(payer.address, 1_000_000n)
      const settled = await fetch(`${service.url}/v1/${key}/settle`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
        body: JSON.stringify(v2Body(await signed(payer))),
      })
      expect(await settled.json()).toMatchObject({ success: true })
      secrets.push(...Object.values(env), key, payer.address, 'a-secret', 'Bearer', 'http://', 'postgres')
    } finally {
      // It sends its spans before it ends.
      await service.kill('SIGTERM')
    }
    spans = collector.spans()
  })

  test("a request is a span below its caller's, by its pattern, with its status and its settlement", () => {
    expect(request()).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId })
    const attributes = new Map(request()?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
    expect(attributes.get('http.route')).toBe('/v1/:key/settle')
    expect(Number(attributes.get('http.response.status_code'))).toBe(200)
    expect(attributes.get('quittance.settlement_id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each(['judge', 'screen', 'claim', 'sign', 'send', 'wait'])('its "%s" is a span below it', (name) => {
    expect(parentOf(named(name)[0])?.spanId).toBe(request()?.spanId)
  })

  test('calls of nodes, of screening and of the database are below what they were made for', () => {
    expect(parentOf(named('rpc eth_sendRawTransaction')[0])?.name).toBe('send')
    expect(named('kyt').map((span) => parentOf(span)?.name)).toEqual(['screen', 'screen'])
    expect(spans.filter((span) => span.name.startsWith('database') && parentOf(span)?.name === 'claim')).toHaveLength(1)
    // What the engine reads by itself belongs to no trace.
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name)).toEqual([
      'POST /admin/tenants',
    ])
  })

  test("spans hold no secret, URL or address, and the collector's own key is sent as a header", () => {
    for (const secret of secrets) expect(collector.bodies.join('\n').toLowerCase()).not.toContain(secret.toLowerCase())
    expect(new Set(collector.keys)).toEqual(new Set(['a secret of the collector']))
  })
})

describe('the address of the collector', () => {
  const settingsOf = (env: Record<string, string>) => traceSettings(readEnv({ NODE_ENV: 'test', ...env }), '1')

  test('is nowhere unless it is configured', () => {
    expect(settingsOf({})).toBeNull()
    expect(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' })).toBeNull()
  })

  test('is the one for traces, or below the general one', () => {
    const all = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
    expect(settingsOf(all)?.url).toBe('http://collector:4318/v1/traces')
    expect(settingsOf({ ...all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces/x' })?.url).toBe('http://traces/x')
  })

  test.each(['a', 'a=%', '=b', 'a b=c'])('goes with headers, and "%s" is none', (headers) => {
    expect(() => settingsOf({ OTEL_EXPORTER_OTLP_HEADERS: headers })).toThrow('OTEL_EXPORTER_OTLP_HEADERS: must be name=value')
    expect(() => settingsOf({ OTEL_EXPORTER_OTLP_HEADERS: headers })).not.toThrow(`: ${headers}`)
  })
})
