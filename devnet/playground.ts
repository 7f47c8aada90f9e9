import { type Request, type Response, Router } from 'express'
import { type Address, isAddress } from 'viem'

export type PlaygroundOptions = {
  /** Gives an account test USDC, in atomic units. */
  give: (to: Address, amount: bigint) => Promise<void>
  now?: () => number
}

/** Atomic units: enough for ten times the cheapest thing on the menu. */
const GIFT = 10_000n
const GIFTS_A_MINUTE = 30

/**
 * What the home page's playground needs of a sample merchant: pages of other origins may pay it and read what it says, as any merchant with
 * customers in browsers allows, and `POST /faucet/<address>` gives a wallet that has nothing a little test USDC, so often a minute.
 */
export function playground({ give, now = Date.now }: PlaygroundOptions): Router {
  const isLeft = allowance(GIFTS_A_MINUTE, now)
  const router = Router()
  router.use((request, response, next) => {
    openToBrowsers(response)
    if (request.method === 'OPTIONS') response.status(204).end()
    else next()
  })
  router.post('/faucet/:address', async (request: Request<{ address: string }>, response) => {
    const { address } = request.params
    if (!isAddress(address, { strict: false })) {
      response.status(400).json({ error: 'Not an address of Ethereum: 0x and 40 hex digits' })
      return
    }
    if (!isLeft()) {
      response.status(429).set('retry-after', '60').json({ error: 'The faucet has given enough for a minute' })
      return
    }
    await give(address, GIFT)
    response.json({ given: String(GIFT), to: address })
  })
  return router
}

function openToBrowsers(response: Response): void {
  response.set({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'payment-signature',
    'access-control-expose-headers': 'payment-required, payment-response, retry-after',
    'access-control-max-age': '600',
  })
}

/** Says yes so often in each minute. */
function allowance(most: number, now: () => number): () => boolean {
  let minute = 0
  let used = 0
  return () => {
    const current = Math.floor(now() / 60_000)
    used = current === minute ? used + 1 : 1
    minute = current
    return used <= most
  }
}
