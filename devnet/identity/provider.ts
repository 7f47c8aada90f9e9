import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { CLIENT_ID, type IdentityOptions, userName } from './options'
import { signInPage, wrongPage } from './pages'

const HOUR = 3_600
const DAY = 24 * HOUR

/** An OpenID provider that believes whoever types a name. The server is to listen at the issuer's port, on this machine only. */
export function identityServer(options: IdentityOptions) {
  const provider = new Provider(options.issuer, configuration(options))
  const serve = provider.callback()
  return createServer((req, res) => {
    const path = new URL(req.url ?? '/', options.issuer).pathname
    if (!path.startsWith('/sign-in/')) return serve(req, res)
    signIn(provider, req, res).catch(() => answer(res, 400, wrongPage()))
  })
}

function configuration({ baseUrl, clientSecret, key }: IdentityOptions): Configuration {
  const resource = { scope: 'openid', audience: baseUrl, accessTokenTTL: DAY / 2, accessTokenFormat: 'jwt' } as const
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [`${baseUrl}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${baseUrl}/`, `${baseUrl}/home`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [clientSecret] },
    scopes: ['openid', 'offline_access', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Websites of before access tokens for a resource read names from the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, name: sub, email: `${encodeURIComponent(sub)}@example.test`, email_verified: true }),
    }),
    async loadExistingGrant({ oidc }) {
      // The dashboard is ours: nobody is asked whether it may know who signed in.
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid offline_access email profile')
      grant.addResourceScope(baseUrl, 'openid')
      await grant.save()
      return grant
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ ...resource, jwt: { sign: { alg: 'RS256' } } }),
      },
    },
    ttl: { AccessToken: DAY / 2, IdToken: HOUR, Interaction: HOUR, Session: DAY, Grant: DAY },
  }
}

async function signIn(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  // Throws where no sign-in is under way.
  const { uid } = await provider.interactionDetails(req, res)
  if (req.method !== 'POST') return answer(res, 200, signInPage(`/sign-in/${uid}`))
  const user = userName.safeParse(new URLSearchParams(await text(req)).get('user'))
  if (!user.success) return answer(res, 400, signInPage(`/sign-in/${uid}`))
  await provider.interactionFinished(req, res, { login: { accountId: user.data } })
}

const FORM_BYTES_MAX = 4_096

async function text(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of req) {
    size += piece.length
    if (size > FORM_BYTES_MAX) throw new Error('the form is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function answer(res: ServerResponse, status: number, html: string): void {
  res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(html)
}
