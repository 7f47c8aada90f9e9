import type { AuthOptions } from 'next-auth'
import { ipSubject } from '@/server/accounts/caller'
import type { App } from '@/server/app'
import { API_HEADERS, refuse } from '@/server/http/errors'
import { clientIp, requestId } from '@/server/http/request'
import { endSessionOf, sessionOf } from '@/server/sign-in/session-cookie'
import { ATTEMPTS_PER_SECOND, authOptions } from './options'

/** Has next-auth answer a request with these options. */
export type AskNextAuth = (options: AuthOptions) => Promise<Response>

/** What one address may ask per second. One sign-in asks four times. */
const ASKED_PER_SECOND = 20

/** The answer to `/api/auth/<path>`. Sessions are ours to tell and to end; the rest is next-auth's. */
export async function answerAuth(
  app: App,
  request: Request,
  path: readonly string[],
  askNextAuth: AskNextAuth,
): Promise<Response> {
  try {
    const [action = '', provider = ''] = path
    const address = ipSubject(clientIp(request))
    await app.rateLimit(`auth:${address}`, ASKED_PER_SECOND)
    // next-auth would answer with a new cookie each time, and so renew the session without end.
    if (action === 'session') return await toldSession(app, request)
    const goesToProvider = provider === 'oidc' && (action === 'callback' || (action === 'signin' && request.method === 'POST'))
    // A way back is not counted with the starts, so that a sign-in that began can end.
    if (goesToProvider) await app.rateLimit(`auth-${action}:${address}`, ATTEMPTS_PER_SECOND)
    const places = goesToProvider ? ((await app.signInEndpoints?.()) ?? null) : null
    return await endingSessions(app, authOptions(app, places), askNextAuth)
  } catch (error) {
    return refused(app, request, error)
  }
}

async function toldSession(app: App, request: Request): Promise<Response> {
  const session = await sessionOf(app, request)
  const body = session ? { expires: new Date(session.expiresAt * 1_000).toISOString() } : {}
  return Response.json(body, { headers: API_HEADERS })
}

/** Throws what kept a sign-out from being noted: next-auth would say that all is well. */
async function endingSessions(app: App, options: AuthOptions, askNextAuth: AskNextAuth): Promise<Response> {
  const failed: unknown[] = []
  const signOut = ({ token }: { token: unknown }) =>
    endSessionOf(app, token).catch((error: unknown) => {
      failed.push(error)
    })
  const answer = await askNextAuth({ ...options, events: { signOut } })
  if (failed.length > 0) throw failed[0]
  return answer
}

// By status; `components/sign-in/failures.ts` has the words for people.
const FAILURES: Readonly<Record<number, string>> = { 429: 'TooMany', 502: 'OAuthSignin', 503: 'Unavailable' }

/** A refusal with `url`, where the scripts of next-auth go then. A browser on its way back from the provider is sent there. */
async function refused(app: App, request: Request, error: unknown): Promise<Response> {
  const answer = refuse('plain', error, app.log, requestId(request))
  const { status, headers } = answer
  const url = `${app.config.baseUrl}/sign-in?error=${FAILURES[status] ?? 'Other'}`
  if (request.method === 'GET' && new URL(request.url).pathname.includes('/callback/')) {
    return new Response(null, { status: 302, headers: { ...API_HEADERS, location: url } })
  }
  return Response.json({ ...(await answer.json()), url }, { status, headers })
}
