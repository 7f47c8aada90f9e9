import type { AuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { ownPage } from '@/components/screens/sign-in/own-page'
import { sandboxCaller } from '@/server/accounts/caller'
import type { App } from '@/server/app'
import { CLIENT_IP_HEADER } from '@/server/http/request'
import { proveBrowserWallet } from '@/server/sign-in/browser-wallet'
import { isAdminKey } from '@/server/sign-in/credentials'
import type { SignInEndpoints } from '@/server/sign-in/oidc'
import { signInFailure } from '@/server/sign-in/oidc'
import type { Principal } from '@/server/sign-in/principal'
import { isSecure, newToken, SESSION_SECONDS, sessionCookieName } from '@/server/sign-in/session-cookie'

/** Sign-in attempts per second and IP address. */
export const ATTEMPTS_PER_SECOND = 5

type User = { id: string; principal: Principal; sessionId?: string }

/**
 * The sign-in methods of the dashboard: the identity provider for merchants, a signed message for wallets, the admin key for
 * administrators. `endpoints` are the provider's, for requests that need it.
 */
export function authOptions(app: App, endpoints: SignInEndpoints | null = null): AuthOptions {
  return {
    secret: app.config.sessionSecret,
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    cookies: {
      sessionToken: {
        name: sessionCookieName(app),
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(app.config.baseUrl) },
      },
    },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    providers: [...(app.config.oidc ? [identityProvider(app, app.config.oidc, endpoints)] : []), wallet(app), administrator(app)],
    callbacks: {
      jwt: ({ token, user }) => (user ? tokenOf(app, user as User) : token),
      redirect: ({ url, baseUrl }) => ownPage(url, baseUrl) ?? baseUrl,
    },
    logger: {
      error: (code, metadata) => app.log.warn({ code, ...signInFailure(metadata) }, 'sign-in failed'),
      warn: (code) => app.log.debug({ code }, 'next-auth'),
      debug: () => {},
    },
  }
}

const tokenOf = (app: App, { id, principal, sessionId }: User) => newToken(app, id, principal, sessionId)

type Profile = { sub: string; name?: string; email?: string }

// No `wellKnown`: next-auth would fetch the provider's endpoints on every unauthenticated request.
function identityProvider(
  { config }: App,
  { clientId, clientSecret }: NonNullable<App['config']['oidc']>,
  endpoints: SignInEndpoints | null,
): OAuthConfig<Profile> {
  const params = { scope: 'openid email profile' }
  return {
    id: 'oidc',
    name: 'Identity provider',
    type: 'oauth',
    clientId,
    clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: endpoints ? { url: endpoints.authorizationUrl, params } : { params },
    ...(endpoints
      ? {
          issuer: endpoints.issuer,
          token: { url: endpoints.tokenUrl },
          jwks_endpoint: endpoints.keysUrl,
          client: { token_endpoint_auth_method: endpoints.clientProof },
        }
      : {}),
    profile: ({ sub, name, email }) => {
      const admin = config.adminSubjects.includes(sub)
      return { id: sub, principal: { kind: 'merchant', id: sub, admin, name: name ?? email ?? sub } }
    },
  }
}

function wallet(app: App) {
  return CredentialsProvider({
    id: 'wallet',
    name: 'Wallet',
    credentials: { message: {}, signature: {} },
    async authorize(credentials, request) {
      await limitAttempts(app, request.headers)
      const { message = '', signature = '' } = credentials ?? {}
      // next-auth refuses a token other than the cookie's before it gets here.
      const csrfToken = String(request.body?.csrfToken ?? '')
      const { wallet, sessionId } = await proveBrowserWallet(app, { text: message, signature, csrfToken })
      return { id: wallet, principal: { kind: 'wallet', wallet }, sessionId }
    },
  })
}

function administrator(app: App) {
  return CredentialsProvider({
    id: 'admin',
    name: 'Admin key',
    credentials: { key: {} },
    async authorize(credentials, request) {
      await limitAttempts(app, request.headers)
      return isAdminKey(app, credentials?.key ?? '') ? { id: 'admin', principal: { kind: 'admin' } } : null
    },
  })
}

async function limitAttempts(app: App, headers: Record<string, unknown> | undefined): Promise<void> {
  await app.rateLimit(`sign-in:${sandboxCaller(String(headers?.[CLIENT_IP_HEADER] ?? '')).id}`, ATTEMPTS_PER_SECOND)
}
