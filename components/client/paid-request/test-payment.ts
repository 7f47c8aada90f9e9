import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { inDecimals } from '@/server/x402/networks/amounts'
import { type EvmNetworkId, mainAsset } from '@/server/x402/networks/networks'
import { testPayment } from '@/server/x402/test-payment'
import type { EvmTerms } from '../wallets/terms'
import { errorIn, parsed, pretty, readable, request } from './exchange'
import { fund, priceOf, type Report, reasonText, type Show, type Signer, signTransfer, step } from './purchase'

const TIMEOUT_SECONDS = 300

/** Who gets the test payment, on which network, through which facilitator URL. It holds the key, so no message shows it. */
export type TestPayment = { facilitatorUrl: string; payTo: `0x${string}`; network: EvmNetworkId }

/** An address that gets test money when the reader names none. Its key is thrown away. */
export function newAddress(): `0x${string}` {
  return privateKeyToAddress(generatePrivateKey())
}

/** Settles a test payment with a new wallet that the faucet fills, and reports each step. Throws a message for the user. */
export async function payFromFaucet(payment: TestPayment, merchantUrl: string, report: Report): Promise<string> {
  const account = privateKeyToAccount(generatePrivateKey())
  await step('fund', report, (show) => fund(merchantUrl, account, show))
  return paySigned(payment, account, report)
}

/** Signs and settles a test payment, and reports each step. Returns the transaction; throws a message for the user. */
export async function paySigned(payment: TestPayment, signer: Signer, report: Report): Promise<string> {
  const terms = termsOf(payment)
  const payload = await step('sign', report, (show) => signTransfer(signer, terms, show))
  return step('pay', report, (show) => settle(payment.facilitatorUrl, terms, payload, show))
}

function termsOf({ payTo, network }: TestPayment): EvmTerms {
  const { address: asset, decimals, domain } = mainAsset(network)
  return {
    scheme: 'exact',
    network,
    amount: String(inDecimals(testPayment.amount, decimals, 'up')),
    asset,
    payTo,
    maxTimeoutSeconds: TIMEOUT_SECONDS,
    extra: { ...domain },
  }
}

const answered = z.object({ success: z.boolean(), transaction: z.string(), errorReason: z.string().optional() })

async function settle(facilitatorUrl: string, terms: EvmTerms, payload: object, show: Show): Promise<string> {
  const body = {
    x402Version: 2,
    paymentPayload: { x402Version: 2, resource: testPayment.resource, accepted: terms, payload },
    paymentRequirements: terms,
  }
  const line = 'POST /v1/<API_KEY>/settle'
  const parts = [{ name: 'Sent', text: pretty(body) }]
  show({ line: `${line}: ${priceOf(terms)}`, parts })
  const headers = { 'content-type': 'application/json' }
  const answer = await request(`${facilitatorUrl}/settle`, { method: 'POST', headers, body: JSON.stringify(body) }, NAME)
  show({
    line: `${line} → ${answer.status}`,
    parts: [...parts, { name: `Received ${answer.status}`, text: readable(answer.text) }],
  })
  const { data } = answered.safeParse(parsed(answer.text))
  if (data?.success) return data.transaction
  if (data?.errorReason && answer.status === 200) throw new Error(reasonText(data.errorReason))
  throw new Error(`The payment was not settled: ${errorIn(answer)}.`)
}

const NAME = 'The service'
