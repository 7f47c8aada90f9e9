import { connectRedis } from '../../accounts/redis'
import { agentRegistry } from '../../agents/registry'
import { silentLog } from '../../base/log'
import { configuredRemotes } from '../../boot/chains'
import type { Env } from '../../env/env'
import type { RemoteFacilitator } from '../../ledger/remote/client'
import { configuredScreener } from '../../screening/vendors'
import { issuerKeys } from '../../sign-in/oidc'
import { isLocalHost } from '../../x402/listing-url'
import { traceSettings } from '../telemetry/telemetry'
import { check, type Finding, ok, unset, wrong } from './findings'

/** An address without a known key. */
const UNUSED_ADDRESS = '0x000000000000000000000000000000000000dead'
const TIMEOUT_MS = 5_000

/** Checks every other service that the environment names, and our own origin. */
export async function checkUpstream(env: Env): Promise<Finding[]> {
  const found = await Promise.all([
    checkRedis(env),
    checkKyt(env),
    checkIssuer(env),
    checkRegistry(env),
    checkRemotes(env),
    checkCollector(env),
  ])
  return [checkOrigin(env), ...found.flat()]
}

async function checkRedis({ REDIS_URL: url }: Env): Promise<Finding[]> {
  if (url === undefined) return [unset('REDIS_URL', 'each process counts requests on its own')]
  const fix = 'start Redis, and check address and password in REDIS_URL; it must accept writes'
  return check('REDIS_URL', fix, async () => {
    const redis = await connectRedis(url, silentLog())
    const usable = redis.usable()
    redis.close()
    return usable
      ? ok('REDIS_URL', 'answers and accepts writes')
      : wrong('REDIS_URL', 'does not answer in time, or refuses writes', fix)
  })
}

async function checkKyt(env: Env): Promise<Finding[]> {
  const screen = configuredScreener(env)
  if (!screen) return [unset('KYT_URL', env.KYT === 'off' ? 'KYT=off: screening is off' : 'screening is off')]
  return check('KYT_URL', 'check KYT_URL and KYT_API_KEY: without a verdict every payment is refused', async () =>
    ok('KYT_URL', `answers, the verdict on an unused address is ${await screen(UNUSED_ADDRESS)}`),
  )
}

async function checkIssuer({ OIDC_ISSUER: issuer }: Env): Promise<Finding[]> {
  if (issuer === undefined) return [unset('OIDC_ISSUER', 'merchants cannot sign in')]
  return check('OIDC_ISSUER', 'write OIDC_ISSUER as in its discovery document, and let this machine reach it', async () => {
    const { keys } = await issuerKeys(issuer)()
    return ok('OIDC_ISSUER', `has a discovery document and ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`)
  })
}

async function checkRegistry({ AGENT_REGISTRY_URL: url }: Env): Promise<Finding[]> {
  if (url === undefined) return [unset('AGENT_REGISTRY_URL', 'agent lookup is off')]
  return check('AGENT_REGISTRY_URL', 'check AGENT_REGISTRY_URL; payments do not wait for it', async () => {
    await agentRegistry(url)(UNUSED_ADDRESS, 'base')
    return ok('AGENT_REGISTRY_URL', 'answers')
  })
}

async function checkRemotes(env: Env): Promise<Finding[]> {
  const what = 'REMOTE_…_URL'
  return check(what, 'correct the URL and the token of each', async () => {
    const remotes = [...configuredRemotes(env)]
    if (remotes.length === 0) return unset(what, 'no tier is served by another facilitator')
    return (await Promise.all(remotes.map(([tier, facilitator]) => checkRemote(tier, facilitator)))).flat()
  })
}

async function checkRemote(tier: string, facilitator: RemoteFacilitator): Promise<Finding[]> {
  const name = `REMOTE_${tier.toUpperCase()}_URL`
  return check(name, `check ${name}, its token, and its GET /supported`, async () => {
    const { kinds } = await facilitator.supported(AbortSignal.timeout(TIMEOUT_MS))
    return ok(name, `answers with ${kinds.length} kinds`)
  })
}

async function checkCollector(env: Env): Promise<Finding[]> {
  const settings = traceSettings(env, '')
  const what = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  if (settings === null) return [unset(what, 'tracing is off')]
  const fix = 'check the address (OTLP over HTTP, usually port 4318) and OTEL_EXPORTER_OTLP_HEADERS'
  return check(what, fix, async () => {
    const { status } = await fetch(settings.url, {
      method: 'POST',
      headers: { ...settings.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [] }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return status < 300 ? ok(what, 'accepts traces') : wrong(what, `answers with status ${status}`, fix)
  })
}

function checkOrigin({ BASE_URL: origin, NODE_ENV }: Env): Finding {
  const what = 'BASE_URL'
  const fix = 'set it to the public https URL: wallets sign for its host, and browsers send cookies to it'
  if (origin === undefined)
    return NODE_ENV === 'production'
      ? wrong(what, 'is not set: the service starts, and wallets sign for http://localhost', fix)
      : unset(what, 'http://localhost is what wallets sign for')
  const { protocol, hostname, host } = new URL(origin)
  if (protocol !== 'https:' && !isLocalHost(hostname)) return wrong(what, 'is not https', fix)
  return ok(what, `wallets sign for ${host}`)
}
