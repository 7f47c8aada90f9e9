import { z } from 'zod'

const answer = z.object({ url: z.url() })

/**
 * The page of the identity provider that signs a merchant in and leads to `callbackUrl`. It starts the sign-in of this browser, as
 * `signIn('oidc')` of next-auth does before it leaves the page. Null if the service does not answer.
 */
export async function merchantSignInUrl(callbackUrl: string): Promise<string | null> {
  const { getCsrfToken } = await import('next-auth/react')
  const csrfToken = await getCsrfToken()
  if (!csrfToken) return null
  const body = new URLSearchParams({ csrfToken, callbackUrl, json: 'true' })
  const response = await fetch('/api/auth/signin/oidc', { method: 'POST', body })
  const { data } = answer.safeParse(await response.json().catch(() => null))
  return data?.url ?? null
}
