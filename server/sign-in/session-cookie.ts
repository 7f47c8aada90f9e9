import { randomUUID } from 'node:crypto'
import { getToken } from 'next-auth/jwt'
import { z } from 'zod'
import { type App, unixNow } from '../app'
import { adminKeyMark } from './credentials'
import { type Principal, principal } from './principal'
import { endSession, hasEnded } from './session-queries'

/** How long a dashboard session lasts from its sign-in. Nothing extends it. */
export const SESSION_SECONDS = 12 * 3_600
// Clocks of instances differ a little.
const FUTURE_SECONDS = 60

// The session claims of our tokens. Unix seconds.
const sessionMark = z.object({ sessionId: z.uuid(), signedInAt: z.int() })

/** A valid session: its principal, and its end in Unix seconds. */
type DashboardSession = { who: Principal; expiresAt: number }

/** The name of the cookie of a dashboard session; `__Host-` over https, so that no other host can set it. */
export function sessionCookieName({ config }: Pick<App, 'config'>): string {
  return isSecure(config.baseUrl) ? '__Host-quittance.session' : 'quittance.session'
}

/** Whether the service is reached over https. */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https://')
}

/** The content of a new session's cookie. A session of the admin key carries the mark of that key. */
export function newToken(app: Pick<App, 'config' | 'now'>, id: string, who: Principal, sessionId: string = randomUUID()) {
  const mark = { sub: id, principal: who, sessionId, signedInAt: Number(unixNow(app)) }
  return who.kind === 'admin' ? { ...mark, adminKey: adminKeyMark(app) } : mark
}

/** The session of a request's cookie. Null if the cookie is missing, invalid, expired, signed out or of an earlier admin key. */
export async function sessionOf(app: Pick<App, 'config' | 'db' | 'now'>, { headers }: Request): Promise<DashboardSession | null> {
  const cookies = Object.fromEntries(pairs(headers.get('cookie') ?? ''))
  const token = await getToken({
    req: asNextAuthRequest({ headers: {}, cookies }),
    secret: app.config.sessionSecret,
    cookieName: sessionCookieName(app),
    secureCookie: isSecure(app.config.baseUrl),
  })
  const mark = sessionMark.safeParse(token)
  const { data: who } = principal.safeParse(token?.principal)
  if (!mark.success || !who) return null
  const { sessionId, signedInAt } = mark.data
  const now = Number(unixNow(app))
  if (now >= signedInAt + SESSION_SECONDS || signedInAt > now + FUTURE_SECONDS) return null
  if (who.kind === 'admin' && !isOfThisKey(app, token?.adminKey)) return null
  if (await hasEnded(app.db, sessionId)) return null
  return { who: currentRights(app, who), expiresAt: signedInAt + SESSION_SECONDS }
}

/** The principal of a request's cookie; null without a session. */
export async function principalOf(app: Pick<App, 'config' | 'db' | 'now'>, request: Request): Promise<Principal | null> {
  return (await sessionOf(app, request))?.who ?? null
}

/** Ends the session of a token on every instance at once. A token of an earlier version has none. */
export async function endSessionOf({ db }: Pick<App, 'db'>, token: unknown): Promise<void> {
  const { data } = sessionMark.safeParse(token)
  if (!data) return
  await endSession(db, { id: data.sessionId, expiresAt: new Date((data.signedInAt + SESSION_SECONDS) * 1_000) })
}

// Read on each request, so that a subject removed from ADMIN_SUBJECTS loses its rights at once.
function currentRights({ config }: Pick<App, 'config'>, who: Principal): Principal {
  return who.kind === 'merchant' ? { ...who, admin: who.admin && config.adminSubjects.includes(who.id) } : who
}

// A changed key ends the sessions of the previous one.
function isOfThisKey(app: Pick<App, 'config'>, mark: unknown): boolean {
  const current = adminKeyMark(app)
  return current !== null && mark === current
}

function pairs(header: string): [string, string][] {
  return header.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]]
  })
}

type NextAuthRequest = Parameters<typeof getToken>[0]['req']

// Its types require a whole Next request; it reads these two fields.
function asNextAuthRequest(request: { headers: object; cookies: Record<string, string> }): NextAuthRequest {
  return request as unknown as NextAuthRequest
}
