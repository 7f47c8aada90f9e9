import type { AuthOptions } from 'next-auth'
import { API_HEADERS, refuse } from '@/server/http/refusal'
import { requestId } from '@/server/http/request'
import { endSessionOf, sessionOf } from '@/server/http/session-cookie'
import type { App } from '@/server/services/app'
import { authOptions } from './options'

/** Has next-auth answer a request with these options. */
export type AskNextAuth = (options: AuthOptions) => Promise<Response>

/** The answer to `/api/auth/<path>`. Sessions are ours to tell and to end; the rest is next-auth's. */
export async function answerAuth(
  app: App,
  request: Request,
  path: readonly string[],
  askNextAuth: AskNextAuth,
): Promise<Response> {
  try {
    // next-auth would answer with a new cookie each time, and so renew the session for ever.
    if (path[0] === 'session') return await toldSession(app, request)
    return await endingSessions(app, askNextAuth)
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
async function endingSessions(app: App, askNextAuth: AskNextAuth): Promise<Response> {
  const failed: unknown[] = []
  const signOut = ({ token }: { token: unknown }) =>
    endSessionOf(app, token).catch((error: unknown) => {
      failed.push(error)
    })
  const answer = await askNextAuth({ ...authOptions(app), events: { signOut } })
  if (failed.length > 0) throw failed[0]
  return answer
}

/** A refusal with `url`, the page to which the scripts of next-auth go then. */
async function refused(app: App, request: Request, error: unknown): Promise<Response> {
  const answer = refuse('plain', error, app.log, requestId(request))
  const url = `${app.config.baseUrl}/sign-in?error=${answer.status === 429 ? 'TooMany' : 'Unavailable'}`
  return Response.json({ ...(await answer.json()), url }, { status: answer.status, headers: answer.headers })
}
