import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { sells } from './agents'
import { type Issuer, startIssuer } from './issuer'
import { startTwoNetworks, type TwoNetworks } from './official-clients'
import { type Recorder, startRecorder } from './recorder'

/** Everything that a shown program can call: two networks, credits, an identity provider. `baseUrl` leads through the recorder. */
export type ProgramHarness = {
  baseUrl: string
  networks: TwoNetworks['networks']
  issuer: Issuer
  recorder: Recorder
  /** What programs asked for since the last time, each with the status that was answered. */
  answers: () => string[]
  /** The facilitator URL of a new key of the merchant `somebody`. */
  facilitatorUrl: () => Promise<string>
  /** A lane that an operator may release at this nonce. */
  quarantined: TwoNetworks['quarantined']
  close: () => Promise<void>
}

/** What every shown program sells for, atomic units. */
export const PRICE = 1_000n

/** How long a test may take that runs programs, milliseconds. */
export const LONG = 180_000

/** The harness of a file's tests: it stands from before the first until after the last of them. */
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

/** Starts all of it; the service knows the recorder's address as its own, for which wallets sign. */
async function startProgramHarness(): Promise<ProgramHarness> {
  const [recorder, issuer] = await Promise.all([startRecorder(), startIssuer()])
  const identity = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'quittance' }
  const all = await startTwoNetworks(({ url }) => ({
    ...{ BASE_URL: recorder.url, ...sells, ...identity },
    // What is asked below /flash is judged here and never sent.
    BASE_SEPOLIA_FLASH_RPC_URL: url,
  }))
  recorder.leadTo(all.service.url)
  return {
    ...{ baseUrl: recorder.url, networks: all.networks, issuer, recorder, quarantined: all.quarantined },
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

/** An address that nobody has paid yet. */
export const newAddress = () => privateKeyToAddress(generatePrivateKey())
