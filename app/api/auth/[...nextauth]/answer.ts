import type { AuthOptions } from 'next-auth'
import { ipSubject } from '@/server/accounts/caller'
import type { App } from '@/server/app'
import { ServiceError } from '@/server/base/errors'
import { API_HEADERS, refuse } from '@/server/http/errors'
import { clientIp, requestId } from '@/server/http/request'
import { endSessionOf, sessionOf } from '@/server/sign-in/session-cookie'
import { ATTEMPTS_PER_SECOND, authOptions } from './options'

/** Runs next-auth with these options. */
type AskNextAuth = (options: AuthOptions) => Promise<Response>

/** Requests per second of one IP address. A sign-in needs four. */
const ASKED_PER_SECOND = 20

/** The response to `/api/auth/<path>`. We read and end sessions; next-auth does the rest. */
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
    // next-auth would let anyone write lines to our log.
    if (action === '_log') throw new ServiceError('not_found', 'there is no such path')
    refuseBadText(request, action, provider)
    // next-auth would renew the cookie each time, so the session would never end.
    if (action === 'session') return await toldSession(app, request)
    const goesToProvider = provider === 'oidc' && (action === 'callback' || (action === 'signin' && request.method === 'POST'))
    // Callbacks have their own count, so that a started sign-in can finish.
    if (goesToProvider) await app.rateLimit(`auth-${action}:${address}`, ATTEMPTS_PER_SECOND)
    const places = goesToProvider ? ((await app.signInEndpoints?.()) ?? null) : null
    return await endingSessions(app, authOptions(app, places), askNextAuth)
  } catch (error) {
    return refused(app, request, error)
  }
}

/** Throws for texts of a visitor that next-auth answers with an internal error. */
function refuseBadText(request: Request, action: string, provider: string): void {
  const { searchParams } = new URL(request.url)
  // It becomes part of a header.
  if (!/^\w*$/.test(searchParams.get('error') ?? '')) throw new ServiceError('bad_request', 'error must be a code of letters')
  const returnTo = searchParams.get('callbackUrl')
  if (returnTo !== null && !isAddress(returnTo))
    throw new ServiceError('bad_request', 'callbackUrl must be a path or an http(s) URL')
  if (!isAddress(keptAddress(request)))
    throw new ServiceError(
      'bad_request',
      'the cookie callback-url must hold a path or an http(s) URL; delete the cookies of this website',
    )
  if (action === 'callback' && provider !== 'oidc' && request.method === 'GET') {
    throw new ServiceError('bad_request', 'this sign-in has no address to return to')
  }
}

/** The address to return to in next-auth's cookie; empty without one. */
function keptAddress(request: Request): string {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const value = pairs.find((pair) => pair.slice(0, pair.indexOf('=')).endsWith('callback-url'))
  try {
    return decodeURIComponent(value?.slice(value.indexOf('=') + 1) ?? '')
  } catch {
    return NO_ADDRESS
  }
}

const NO_ADDRESS = ' '

const isAddress = (text: string): boolean =>
  text === '' || text.startsWith('/') || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))

async function toldSession(app: App, request: Request): Promise<Response> {
  const session = await sessionOf(app, request)
  const body = session ? { expires: new Date(session.expiresAt * 1_000).toISOString() } : {}
  return Response.json(body, { headers: API_HEADERS })
}

/** Throws if a sign-out was not stored, because next-auth would report success. */
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

// By status; `components/client/wallets/sign-in-failures.ts` has the texts.
const FAILURES: Readonly<Record<number, string>> = { 429: 'TooMany', 502: 'OAuthSignin', 503: 'Unavailable' }

/** A refusal with `url`, the page that next-auth's scripts open. A browser that returns from the provider is redirected there. */
async function refused(app: App, request: Request, error: unknown): Promise<Response> {
  const answer = refuse('plain', error, app.log, requestId(request))
  const { status, headers } = answer
  const url = `${app.config.baseUrl}/sign-in?error=${FAILURES[status] ?? 'Other'}`
  if (request.method === 'GET' && new URL(request.url).pathname.includes('/callback/')) {
    return new Response(null, { status: 302, headers: { ...API_HEADERS, location: url } })
  }
  return Response.json({ ...(await answer.json()), url }, { status, headers })
}
