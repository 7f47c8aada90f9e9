import { getToken } from 'next-auth/jwt'
import type { App } from '../services/app'
import { type Principal, principal } from '../services/principal'
import { adminKeyMark } from './admin-key'

/** How the cookie of a dashboard session is called; `__Host-` where browsers can keep that promise: no other host writes it. */
export function sessionCookieName({ config }: Pick<App, 'config'>): string {
  return isSecure(config.baseUrl) ? '__Host-quittance.session' : 'quittance.session'
}

/** Whether the service is reached over https. */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https://')
}

/** Who is signed in with the cookie of a request. Null for nobody, and for a cookie that is not ours, is over or was given for an earlier admin key. */
export async function principalOf(app: Pick<App, 'config'>, { headers }: Request): Promise<Principal | null> {
  const cookies = Object.fromEntries(pairs(headers.get('cookie') ?? ''))
  const token = await getToken({
    req: asNextAuthRequest({ headers: {}, cookies }),
    secret: app.config.sessionSecret,
    cookieName: sessionCookieName(app),
    secureCookie: isSecure(app.config.baseUrl),
  })
  const { data } = principal.safeParse(token?.principal)
  if (data?.kind === 'admin' && !isOfThisKey(app, token?.adminKey)) return null
  // Whoever is struck off the list administers no more, however long the cookie lasts.
  if (data?.kind === 'merchant') return { ...data, admin: data.admin && app.config.adminSubjects.includes(data.id) }
  return data ?? null
}

// The key is changed to shut out whoever had the one before.
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

// Its types want a whole request of Next's; it reads these two.
function asNextAuthRequest(request: { headers: object; cookies: Record<string, string> }): NextAuthRequest {
  return request as unknown as NextAuthRequest
}
