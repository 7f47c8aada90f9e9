import { decodePaymentRequiredHeader } from '@x402/core/http'

/** The JSON of a response. Throws with the reason when the status is not 2xx. */
export async function jsonOf<Body>(response: Response): Promise<Body> {
  const body: Body & { error?: string } = await response.json()
  if (response.ok) return body
  const reason = body.error ?? reasonIn(response) ?? 'no reason given'
  throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${reason}`)
}

// After a failed payment the second 402 has the reason in its header.
function reasonIn({ headers }: Response): string | undefined {
  const header = headers.get('PAYMENT-REQUIRED')
  return header === null ? undefined : decodePaymentRequiredHeader(header).error
}
