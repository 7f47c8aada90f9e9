// The program of the local identity provider. Its options are in IDENTITY (JSON); it ends with the process that started it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import { CLIENT_ID, type IdentityOptions, optionsSchema, userName } from './identity-provider'

const HOUR = 3_600
const DAY = 24 * HOUR

/** An OpenID provider that accepts any user name. */
function identityServer(options: IdentityOptions) {
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
    // The dashboard reads the user's name from the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, name: sub, email: `${encodeURIComponent(sub)}@example.test`, email_verified: true }),
    }),
    async loadExistingGrant({ oidc }) {
      // The dashboard is ours, so no consent page is needed.
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
  // Throws without a sign-in in progress.
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

const page = (body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local sign-in</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem; color-scheme: light dark }
  label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
  input, button { padding: .5rem .75rem; margin-top: .5rem }
  p { opacity: .75 }
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>`

function signInPage(action: string): string {
  return page(`<h1>Sign in</h1>
<form method="post" action="${action}">
<label for="user">User name</label>
<input id="user" name="user" required maxlength="200" autocomplete="username" autofocus placeholder="alice">
<button type="submit">Sign in</button>
</form>
<p>This identity provider is for local use only: it has no passwords and accepts any name.</p>`)
}

function wrongPage(): string {
  return page('<h1>This sign-in has ended</h1>\n<p>Go back to the dashboard and sign in again.</p>')
}

try {
  const options = optionsSchema.parse(JSON.parse(process.env.IDENTITY ?? ''))
  // On this machine only: it accepts any name.
  const server = identityServer(options).listen(Number(new URL(options.issuer).port), '127.0.0.1')
  await once(server, 'listening')
  process.once('SIGTERM', () => process.exit())
  console.log(`Listening for ${options.issuer}`)
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause)
  process.exit(1)
}
