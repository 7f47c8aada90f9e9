import { type Request, type Response, Router } from 'express'
import { type Address, isAddress } from 'viem'

export type PlaygroundOptions = {
  /** Mints test USDC for an account, in atomic units. */
  give: (to: Address, amount: bigint) => Promise<void>
  /** The wallets that the service's pages may use, with their keys: test money on local chains. */
  wallets?: { origin: string; list: () => DemoWallet[] } | undefined
  now?: () => number
}

/** A wallet of the demo: `key` is 0x and hex on EVM, base58 on Solana. */
export type DemoWallet = { network: string; name: string; key: string }

/** In atomic units: ten times the lowest price of the sample merchant. */
const GIFT = 10_000n
const GIFTS_A_MINUTE = 30

/**
 * The sample merchant's part of the home page's playground: pages of other origins may pay it and read its answers, and
 * `POST /faucet/<address>` mints a little test USDC, 30 times a minute. `GET /wallets` has the demo's wallets, for the service's pages alone.
 */
export function playground({ give, wallets, now = Date.now }: PlaygroundOptions): Router {
  const takeGift = perMinute(GIFTS_A_MINUTE, now)
  const router = Router()
  // Before the rule for other origins: only the service's own pages may read keys.
  router.get('/wallets', (request, response, next) => {
    if (!wallets) return next()
    if (request.get('origin') !== wallets.origin)
      return void response.status(403).json({ error: `Only for pages of ${wallets.origin}` })
    response.set({ 'access-control-allow-origin': wallets.origin, 'cache-control': 'no-store' }).json(wallets.list())
  })
  router.use((request, response, next) => {
    allowOtherOrigins(response)
    if (request.method === 'OPTIONS') response.status(204).end()
    else next()
  })
  router.post('/faucet/:address', async (request: Request<{ address: string }>, response) => {
    const { address } = request.params
    if (!isAddress(address, { strict: false })) {
      response.status(400).json({ error: 'Not an Ethereum address: it has 0x and 40 hex digits' })
      return
    }
    if (!takeGift()) {
      response
        .status(429)
        .set('retry-after', '60')
        .json({ error: 'The faucet is empty for this minute; try again in the next one' })
      return
    }
    await give(address, GIFT)
    response.json({ given: String(GIFT), to: address })
  })
  return router
}

function allowOtherOrigins(response: Response): void {
  response.set({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    // The official client sets the second on its requests.
    'access-control-allow-headers': 'payment-signature, access-control-expose-headers',
    'access-control-expose-headers': 'payment-required, payment-response, retry-after',
    'access-control-max-age': '600',
  })
}

/** A function that returns true `most` times in each minute. */
function perMinute(most: number, now: () => number): () => boolean {
  let minute = 0
  let used = 0
  return () => {
    const current = Math.floor(now() / 60_000)
    used = current === minute ? used + 1 : 1
    minute = current
    return used <= most
  }
}
