import { randomBytes } from 'node:crypto'
import { type Hex, hexToBytes, numberToHex, toHex } from 'viem'
import { curve } from '../../chains/evm/curve'
import { addressOfKey } from '../../chains/evm/signer'
import { parsePayment } from '../../x402/parse'
import { isEip3009 } from '../../x402/payment'
import { methodOf } from '../../x402/schemes/evm-methods'

/** The network of made-up payments. */
export const MADE_UP_NETWORK = 'eip155:8453'

const PAYERS = 16
const LIFE_SECONDS = 300

const terms = {
  scheme: 'exact',
  network: MADE_UP_NETWORK,
  amount: '1000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
  maxTimeoutSeconds: LIFE_SECONDS,
  extra: { name: 'USD Coin', version: '2' },
}

/** Makes bodies of verify and settle in version 2. Each has a new payment, which fresh keys without money sign in turn. */
export function createMadeUpBodies(): () => string {
  const payers = Array.from({ length: PAYERS }, () => {
    const key = randomBytes(32)
    return { key, from: addressOfKey(curve.publicKey(key)) }
  })
  let turn = 0
  return () => {
    const { key, from } = payers[turn++ % PAYERS] ?? fail('there is a payer for each turn')
    const { payTo: to, amount: value } = terms
    const validBefore = String(Math.floor(Date.now() / 1_000) + LIFE_SECONDS)
    const authorization = { from, to, value, validAfter: '0', validBefore, nonce: toHex(randomBytes(32)) }
    return JSON.stringify(bodyOf(authorization, sign(authorization, key)))
  }
}

type Authorization = Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>

function bodyOf(authorization: Authorization, signature: Hex): object {
  const resource = { url: 'https://example.com/warm-up', description: 'A made-up resource', mimeType: 'text/plain' }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, payload: { signature, authorization }, resource, accepted: terms },
    paymentRequirements: terms,
  }
}

const UNSIGNED: Hex = `0x${'11'.repeat(64)}1b`

function sign(authorization: Authorization, key: Uint8Array): Hex {
  const payment = parsePayment(bodyOf(authorization, UNSIGNED))
  const digest = isEip3009(payment) ? methodOf(payment).digest(payment) : null
  const { signature, recovery } = curve.sign(hexToBytes(digest ?? fail('a made-up payment has a digest')), key)
  return `${toHex(signature)}${numberToHex(27 + recovery, { size: 1 }).slice(2)}`
}

function fail(promise: string): never {
  throw new Error(`not true: ${promise}`)
}
