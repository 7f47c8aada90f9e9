import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { startTwoNetworks, type TwoNetworks } from '../../interop/official-clients'
import { CHANNEL_SECRETS } from '../batch-settlement/sellers'
import { sells } from './agents'
import { type Issuer, startIssuer } from './issuer'
import { type Recorder, startRecorder } from './recorder'

/** Everything that a documented program calls: two networks, credits, an identity provider. `baseUrl` is the recorder's. */
type ProgramHarness = {
  baseUrl: string
  networks: TwoNetworks['networks']
  issuer: Issuer
  recorder: Recorder
  /** The requests since the last call, each with its status. */
  answers: () => string[]
  /** The facilitator URL of a new key. */
  facilitatorUrl: () => Promise<string>
  /** Adds a lane that an operator may release at this nonce. */
  quarantined: TwoNetworks['quarantined']
  close: () => Promise<void>
}

/** The price in every documented program, in atomic units. */
export const PRICE = 1_000n

/** The timeout of a test that runs programs, in milliseconds. */
export const LONG = 180_000

/** Starts a harness before a file's tests and closes it after them. */
export function programHarness(): () => ProgramHarness {
  let harness: ProgramHarness | undefined
  beforeAll(async () => {
    harness = await startProgramHarness()
  }, LONG)
  afterAll(() => harness?.close())
  return () => {
    if (!harness) throw new Error('the harness starts before the tests')
    return harness
  }
}

/** Starts the harness. The service's BASE_URL is the recorder's, because wallets sign for it. */
async function startProgramHarness(): Promise<ProgramHarness> {
  const [recorder, issuer] = await Promise.all([startRecorder(), startIssuer()])
  const identity = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'quittance' }
  const all = await startTwoNetworks(({ url }) => ({
    BASE_URL: recorder.url,
    ...sells,
    ...identity,
    CHANNEL_SECRETS,
    // No test sends a payment below /flash, so a node without preconfirmations is enough.
    BASE_SEPOLIA_FLASH_RPC_URL: url,
  }))
  recorder.leadTo(all.service.url)
  return {
    baseUrl: recorder.url,
    networks: all.networks,
    issuer,
    recorder,
    quarantined: all.quarantined,
    answers: () => recorder.take().map(({ asked, status }) => `${asked} ${status}`),
    async facilitatorUrl() {
      const { url } = await all.tenant()
      return url.replace(all.service.url, recorder.url)
    },
    async close() {
      await all.close()
      await Promise.all([recorder.close(), issuer.close()])
    },
  }
}

/** A new address. */
export const newAddress = () => privateKeyToAddress(generatePrivateKey())
