import { connectRedis } from '../../accounts/redis'
import { agentRegistry } from '../../agents/registry'
import { configuredRemotes } from '../../boot/remotes'
import type { Env } from '../../env'
import type { RemoteFacilitator } from '../../ledger/remote/client'
import { silentLog } from '../../log'
import { chainalysis } from '../../screening/chainalysis'
import { issuerKeys } from '../../sign-in/oidc'
import { isLocalHost } from '../../x402/listing-url'
import { traceSettings } from '../telemetry/telemetry'
import { type Finding, looked, ok, unset, wrong } from './findings'

/** An address that nobody has a key of. */
const NOBODY = '0x000000000000000000000000000000000000dead'
const PATIENCE_MS = 5_000

/** Everybody else whom the service asks, and what it calls itself. */
export async function lookAtOthers(env: Env): Promise<Finding[]> {
  const found = await Promise.all([
    lookAtRedis(env),
    lookAtKyt(env),
    lookAtIssuer(env),
    lookAtRegistry(env),
    lookAtRemotes(env),
    lookAtCollector(env),
  ])
  return [lookAtOrigin(env), ...found.flat()]
}

async function lookAtRedis({ REDIS_URL: url }: Env): Promise<Finding[]> {
  if (url === undefined) return [unset('REDIS_URL', 'each process counts requests on its own')]
  const mend = 'start Redis, and compare REDIS_URL with its address and password; it must take writes'
  return looked('REDIS_URL', mend, async () => {
    const redis = await connectRedis(url, silentLog())
    const usable = redis.usable()
    redis.close()
    return usable
      ? ok('REDIS_URL', 'answers and takes writes')
      : wrong('REDIS_URL', 'does not answer in time, or refuses writes', mend)
  })
}

async function lookAtKyt({ KYT_URL: url, KYT_API_KEY: key, KYT }: Env): Promise<Finding[]> {
  if (KYT === 'off') return [unset('KYT_URL', 'KYT=off: nobody is screened')]
  if (url === undefined) return [unset('KYT_URL', 'nobody is screened')]
  return looked('KYT_URL', 'look at KYT_URL and KYT_API_KEY: without a verdict every payment is refused', async () =>
    ok('KYT_URL', `answers, an address of nobody is ${await chainalysis(url, key)(NOBODY)}`),
  )
}

async function lookAtIssuer({ OIDC_ISSUER: issuer }: Env): Promise<Finding[]> {
  if (issuer === undefined) return [unset('OIDC_ISSUER', 'merchants cannot sign in')]
  return looked('OIDC_ISSUER', 'spell OIDC_ISSUER as its discovery document does, and let this machine reach it', async () => {
    const { keys } = await issuerKeys(issuer)()
    return ok('OIDC_ISSUER', `is discovered, and has ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}`)
  })
}

async function lookAtRegistry({ AGENT_REGISTRY_URL: url }: Env): Promise<Finding[]> {
  if (url === undefined) return [unset('AGENT_REGISTRY_URL', 'nobody is asked about agents')]
  return looked('AGENT_REGISTRY_URL', 'look at AGENT_REGISTRY_URL; payments do not wait for it', async () => {
    await agentRegistry(url)(NOBODY, 'base')
    return ok('AGENT_REGISTRY_URL', 'answers')
  })
}

async function lookAtRemotes(env: Env): Promise<Finding[]> {
  const what = 'REMOTE_…_URL'
  return looked(what, 'correct the URL and the token of each', async () => {
    const remotes = [...configuredRemotes(env)]
    if (remotes.length === 0) return unset(what, 'no tier is served by another facilitator')
    return (await Promise.all(remotes.map(([tier, facilitator]) => lookAtRemote(tier, facilitator)))).flat()
  })
}

async function lookAtRemote(tier: string, facilitator: RemoteFacilitator): Promise<Finding[]> {
  const name = `REMOTE_${tier.toUpperCase()}_URL`
  return looked(name, `look at ${name} and its token, and at its GET /supported`, async () => {
    const { kinds } = await facilitator.supported(AbortSignal.timeout(PATIENCE_MS))
    return ok(name, `answers with ${kinds.length} kinds`)
  })
}

async function lookAtCollector(env: Env): Promise<Finding[]> {
  const settings = traceSettings(env, '')
  const what = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  if (settings === null) return [unset(what, 'no traces are made')]
  const mend = 'look at the address (OTLP over HTTP, usually port 4318) and OTEL_EXPORTER_OTLP_HEADERS'
  return looked(what, mend, async () => {
    const { status } = await fetch(settings.url, {
      method: 'POST',
      headers: { ...settings.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [] }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return status < 300 ? ok(what, 'takes traces') : wrong(what, `answers with status ${status}`, mend)
  })
}

function lookAtOrigin({ BASE_URL: origin, NODE_ENV }: Env): Finding {
  const what = 'BASE_URL'
  const mend = 'set it to the https address that people see: wallets sign for its host, and browsers send cookies to it'
  if (origin === undefined)
    return NODE_ENV === 'production' ? wrong(what, 'is not set', mend) : unset(what, 'http://localhost is what wallets sign for')
  const { protocol, hostname, host } = new URL(origin)
  if (protocol !== 'https:' && !isLocalHost(hostname)) return wrong(what, 'is not https', mend)
  return ok(what, `wallets sign for ${host}`)
}
