import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll } from 'vitest'
import { sells } from './agents'
import { type Issuer, startIssuer } from './issuer'
import { startTwoNetworks, type TwoNetworks } from './official-clients'
import { startWitness, type Witness } from './witness'

/** Everything that a shown program can call: two networks, credits, an identity provider. `baseUrl` leads through the witness. */
export type ProgramHouse = {
  baseUrl: string
  networks: TwoNetworks['networks']
  issuer: Issuer
  witness: Witness
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

/** The house of a file's tests: it stands from before the first until after the last of them. */
export function programHouse(): () => ProgramHouse {
  let house: ProgramHouse | undefined
  beforeAll(async () => {
    house = await startProgramHouse()
  }, LONG)
  afterAll(() => house?.close())
  return () => {
    if (!house) throw new Error('the house stands when the tests begin')
    return house
  }
}

/** Starts all of it; the service knows the witness's address as its own, for which wallets sign. */
async function startProgramHouse(): Promise<ProgramHouse> {
  const [witness, issuer] = await Promise.all([startWitness(), startIssuer()])
  const identity = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'quittance' }
  const all = await startTwoNetworks(({ url }) => ({
    ...{ BASE_URL: witness.url, ...sells, ...identity },
    // What is asked below /flash is judged here and never sent.
    BASE_SEPOLIA_FLASH_RPC_URL: url,
  }))
  witness.leadTo(all.service.url)
  return {
    ...{ baseUrl: witness.url, networks: all.networks, issuer, witness, quarantined: all.quarantined },
    answers: () => witness.told().map(({ asked, status }) => `${asked} ${status}`),
    async facilitatorUrl() {
      const { url } = await all.tenant()
      return url.replace(all.service.url, witness.url)
    },
    async close() {
      await all.close()
      await Promise.all([witness.close(), issuer.close()])
    },
  }
}

/** An address that nobody has paid yet. */
export const newAddress = () => privateKeyToAddress(generatePrivateKey())
