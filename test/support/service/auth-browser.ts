import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth from 'next-auth'
import { answerAuth } from '../../../app/api/auth/[...nextauth]/answer'
import type { App } from '../../../server/app'
import { announceOrigin } from '../../../server/env/env'
import { ADMIN_KEY } from './harness'
import { newIp } from './history'

/** A cookie as a browser keeps it. */
export type Cookie = { name: string; attributes: string[]; pair: string }

/** A response of the sign-in routes. */
export type AuthAnswer = { status: number; headers: Headers; body: unknown }

/** A browser with cookies and one IP address that calls a service's sign-in routes (`/api/auth/*`). */
export type AuthBrowser = {
  ask: (method: string, path: string, body?: Record<string, string>) => Promise<AuthAnswer>
  cookies: () => Cookie[]
  /** The header with every cookie. */
  header: () => { cookie: string }
  signInAsAdmin: () => Promise<AuthAnswer>
  /** The CSRF token of its cookie, from which pages derive the nonce of their messages. */
  csrf: () => Promise<string>
  signInAsWallet: (message: string, signature: string) => Promise<AuthAnswer>
  /** Starts a sign-in; the answer redirects to the identity provider. */
  beginAsMerchant: () => Promise<AuthAnswer>
  signOut: () => Promise<AuthAnswer>
}

/** Opens a browser with the cookies of an optional header. The service's `BASE_URL` is the origin of its pages. */
export function authBrowser(app: App, ip = newIp(), { cookie }: { cookie?: string } = {}): AuthBrowser {
  const kept = new Map<string, Cookie>()
  for (const line of cookie?.split('; ') ?? []) keep(kept, line)
  const header = () => ({ cookie: [...kept.values()].map(({ pair }) => pair).join('; ') })

  async function ask(method: string, path: string, body: Record<string, string> = {}): Promise<AuthAnswer> {
    announceOrigin(app.config.baseUrl)
    const { pathname, searchParams } = new URL(path, 'http://quittance.test/')
    const segments = pathname.slice(1).split('/')
    const headers = { 'x-quittance-client-ip': ip, 'x-request-id': 'test', ...header() }
    const query = { ...Object.fromEntries(searchParams), nextauth: segments }
    const cookies = Object.fromEntries(
      [...kept.values()].map(({ name, pair }) => [name, decodeURIComponent(pair.slice(name.length + 1))]),
    )
    const request = new Request(`${app.config.baseUrl}/api/auth/${path}`, { method, headers })
    const answer = await answerAuth(app, request, segments, (options) =>
      viaNextAuth({ method, headers, cookies, body, query }, options),
    )
    for (const line of answer.headers.getSetCookie()) keep(kept, line)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  const csrf = async () => {
    const { body } = await ask('GET', 'csrf')
    return String(Reflect.get(Object(body), 'csrfToken'))
  }
  return {
    ask,
    header,
    cookies: () => [...kept.values()],
    signInAsAdmin: async () => ask('POST', 'callback/admin', { csrfToken: await csrf(), key: ADMIN_KEY, json: 'true' }),
    csrf,
    signInAsWallet: async (message, signature) =>
      ask('POST', 'callback/wallet', { csrfToken: await csrf(), message, signature, json: 'true' }),
    beginAsMerchant: async () => ask('POST', 'signin/oidc', { csrfToken: await csrf(), json: 'true' }),
    signOut: async () => ask('POST', 'signout', { csrfToken: await csrf(), json: 'true' }),
  }
}

function keep(kept: Map<string, Cookie>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const name = pair.slice(0, pair.indexOf('='))
  if (attributes.includes('Max-Age=0')) kept.delete(name)
  else kept.set(name, { name, pair, attributes })
}

/** Runs next-auth without Next. Of Next's response it needs only these methods. */
async function viaNextAuth(request: object, options: Parameters<typeof NextAuth>[2]): Promise<Response> {
  const headers = new Headers()
  let status = 200
  let cookies: string[] = []
  let text = ''
  const response = {
    status(code: number) {
      status = code
      return response
    },
    getHeader: (name: string) => (name === 'Set-Cookie' ? cookies : undefined),
    setHeader(name: string, value: string | string[]) {
      if (Array.isArray(value)) cookies = value
      else headers.set(name, value)
      return response
    },
    json(body: unknown) {
      text = JSON.stringify(body)
    },
    send(body: unknown) {
      text = typeof body === 'string' ? body : JSON.stringify(body ?? '')
    },
    end() {},
  }
  await NextAuth(request as NextApiRequest, response as unknown as NextApiResponse, options)
  for (const line of cookies) headers.append('set-cookie', line)
  return new Response(text, { status, headers })
}
