import { decodePaymentRequiredHeader } from '@x402/core/http'

/** The JSON of an answer. Throws with the reason where it is none of success. */
export async function answerOf<Body>(response: Response): Promise<Body> {
  const body: Body & { error?: string } = await response.json()
  if (response.ok) return body
  const reason = body.error ?? askedAgain(response) ?? 'no reason given'
  throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${reason}`)
}

// Who paid and is asked to pay again is told why in the header that asks.
function askedAgain({ headers }: Response): string | undefined {
  const header = headers.get('PAYMENT-REQUIRED')
  return header === null ? undefined : decodePaymentRequiredHeader(header).error
}
