// One facilitator, `ours` or `official`, configured by the environment; its own process keeps its CPU and RPC calls apart.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { nonceManager } from 'viem'
import { installApp } from '../server/app'
import { createLog } from '../server/base/log'
import { createApp } from '../server/boot/app'
import { startWarmUp } from '../server/boot/warm-up/warm-up'
import { endpoints } from '../server/endpoints'
import { readEnv } from '../server/env/env'
import { requestLog } from '../server/http/request-context'
import { routesOf } from '../server/http/route-table'
import { createHttpServer } from '../server/http/server'
import { startOfficialFacilitator } from '../test/support/nodes/official-facilitator'
import { newMerchant } from '../test/support/service/surface'
import { until } from '../test/support/until'
import type { Started, Usage } from './child'
import { type Profile, startProfile } from './profile'
import { countRpc } from './rpc-count'

const {
  MEASURE_DELAYS,
  FACILITATOR,
  CHAIN_URL = '',
  SIGNER_KEY = '',
  DATABASE_URL = '',
  REDIS_URL,
  API_KEYS = '1',
  KEPT_KEYS,
} = process.env
const counted = countRpc(CHAIN_URL)
const delays = monitorEventLoopDelay({ resolution: 5 })
// Its timer wakes the process 200 times a second.
if (MEASURE_DELAYS) delays.enable()

const started = FACILITATOR === 'official' ? await startOfficial() : await startOurs()
process.send?.(started)
let endProfile = async (): Promise<Profile> => []
process.on('message', async (command) => {
  if (command === 'usage') process.send?.(usage())
  if (command === 'profile') endProfile = await startProfile()
  if (command === 'end profile') process.send?.(await endProfile())
})
process.on('disconnect', () => process.exit())

/** Resource use since the start, and event-loop delay since the last call. */
function usage(): Usage {
  const delay = { p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 }
  delays.reset()
  const { user, system } = process.cpuUsage()
  return { cpuMs: (user + system) / 1e3, memory: process.memoryUsage(), delay, ...counted() }
}

/** The official facilitator at its best: nonces in the process, receipts polled 20 times a second. */
async function startOfficial(): Promise<Started> {
  const key = `0x${SIGNER_KEY.slice(2)}` as const
  const { url } = await startOfficialFacilitator({
    chainId: 84532,
    chainUrl: CHAIN_URL,
    key,
    nonceManager,
    pollingIntervalMs: 50,
  })
  return { urls: [url] }
}

async function startOurs(): Promise<Started> {
  const env = readEnv({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL,
    BASE_SEPOLIA_RPC_URL: CHAIN_URL,
    EVM_SIGNER_KEYS: SIGNER_KEY,
    KYT: 'off',
    CHANNEL_SECRETS: 'the-secret-of-the-channels-of-the-benchmark',
    GAS_BUDGET_DAY: '1000',
    REDIS_URL,
  })
  const log = createLog('info')
  const app = await createApp(env, log)
  installApp(app)
  // Another instance may have a lane's lease.
  const usable = ['ready', 'leased elsewhere']
  await until(() => app.engine.laneStatus().every(({ status }) => usable.includes(status)), 'lanes to be ready')
  const server = createHttpServer({
    routes: routesOf(endpoints),
    async fallback(_request, response) {
      response.writeHead(404).end()
    },
    trustedProxyHops: 0,
    log: requestLog(log),
    accepting: () => true,
    onTrouble: (error) => log.warn({ err: error }, 'new connections cannot be accepted as usual'),
  })
  const { port } = await server.listen(0)
  // As `npm start` does, in idle moments.
  startWarmUp({ app, isBusy: () => server.running() > 0 }).done.catch((error: unknown) => log.error({ err: error }, 'no warm-up'))
  const unlimited = { rps: 1_000_000, settlementQuota: 1_000_000_000, verificationQuota: 1_000_000_000 }
  const urls = KEPT_KEYS?.split(',').map((key) => `http://127.0.0.1:${port}/v1/${key}`) ?? []
  while (urls.length < Number(API_KEYS)) {
    const { key } = await newMerchant(app, { plan: 'scale', ...unlimited })
    urls.push(`http://127.0.0.1:${port}/v1/${key}`)
  }
  return { urls }
}
