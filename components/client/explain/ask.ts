import type { Explanation } from '@/server/explain/checks'

/** What is explained: the pasted text, and the requirements of a payment. */
export type ExplainInput = { input: string; paymentRequirements: string }

/** Asks for an explanation. Throws an Error whose message a person can read. */
export async function ask({ input, paymentRequirements }: ExplainInput): Promise<Explanation> {
  const given = paymentRequirements.trim()
  const body = JSON.stringify({ input, ...(given === '' ? {} : { paymentRequirements: given }) })
  const response = await fetch('/api/explain', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
    (cause: unknown) => {
      throw new Error('The service did not answer. Check your connection and try again.', { cause })
    },
  )
  const answer: unknown = await response.json().catch(() => null)
  // The endpoint's own schema describes a 200.
  if (response.ok) return answer as Explanation
  const { error } = Object(answer)
  throw new Error(typeof error === 'string' ? error : `The service answered ${response.status}. Try again in a moment.`)
}
