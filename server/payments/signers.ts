import type { z } from 'zod'
import type { App } from '../app'
import { type LaneClass, type LaneSpan, laneClasses, listSpans } from '../ledger/statements/lanes'
import { displayAddress } from '../x402/addresses'
import type { signerList } from './schemas/signers'

/** The signers of this service, as `/.well-known/x402-signers.json` shows them. */
type SignerList = z.input<typeof signerList>
type Signer = SignerList['signers'][number]

/** For how long a list holds. */
const VALID_S = 86_400

/**
 * Every signer that this service ever had a lane of, and its fee payers on Solana now, signed by the key of receipts. Explorers count a
 * merchant's payments by it, also after a rotation.
 */
export async function signersNow(app: App): Promise<SignerList> {
  const { retiringSigners, baseUrl } = app.config
  const lanes = await listSpans(app.db)
  const settling = lanes.map(({ network, address, class: tier, from, until }: LaneSpan): Signer => {
    const isRetiring = until === null && retiringSigners.has(address.toLowerCase())
    const times = { validFrom: from.toISOString(), validUntil: until?.toISOString() ?? null }
    return { network, address: displayAddress(address), tier, role: isRetiring ? 'retiring' : 'settles', ...times }
  })
  const paying = [...app.networks].flatMap(([network, { family, signers }]) =>
    family === 'svm' ? laneClasses.flatMap((tier) => signers[tier].map((address) => feePayer(network, address, tier))) : [],
  )
  const issuer = baseUrl
  const all = [...settling, ...paying]
  // An old list must not name a signer for ever that was withdrawn since.
  const exp = Math.floor(Date.now() / 1_000) + VALID_S
  return { issuer, signers: all, jws: app.receipts.signClaims('x402-signers+jwt', { iss: issuer, exp, signers: all }) }
}

const feePayer = (network: string, address: string, tier: LaneClass): Signer => ({
  network,
  address,
  tier,
  role: 'fee payer',
  validFrom: null,
  validUntil: null,
})
