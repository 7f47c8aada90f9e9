import { encode } from 'next-auth/jwt'
import type { App } from '../../../server/app'
import type { Principal } from '../../../server/sign-in/principal'
import { newToken, sessionCookieName } from '../../../server/sign-in/session-cookie'
import { TRPC_PATH, trpc } from '../../../server/trpc/handler'
import { asked } from './history'

export const merchant = (id: string, { admin = false } = {}): Principal => ({ kind: 'merchant', id, admin, name: id })
export const wallet = (address: string): Principal => ({ kind: 'wallet', wallet: address })
export const administrator: Principal = { kind: 'admin' }

/** The cookie header of a browser that signed in now; no header for null. */
export async function cookieOf(
  app: Pick<App, 'config' | 'now'>,
  who: unknown,
  { secret = app.config.sessionSecret, maxAge = 600 }: { secret?: string; maxAge?: number } = {},
): Promise<Record<string, string>> {
  if (who === null) return {}
  const token = { ...newToken(app, 'test', administrator), principal: who }
  return { cookie: `${sessionCookieName(app)}=${await encode({ token, secret, maxAge })}` }
}

/** A procedure's answer: its data, or the code and message of its error. */
export type ProcedureAnswer = { status: number; data?: unknown; code?: string; message?: string }

/** The procedures, called as the dashboard's pages call them for this principal. */
export function pagesOf(app: App, who: Principal | null) {
  const standing = async () => ({
    'content-type': 'application/json',
    origin: new URL(app.config.baseUrl).origin,
    ...(await cookieOf(app, who)),
  })
  return {
    /** The headers of its requests. */
    headers: standing,
    query: async (procedure: string, input: unknown = {}) => {
      const query = `input=${encodeURIComponent(JSON.stringify(input))}`
      return askProcedure(app, asked(`${TRPC_PATH}/${procedure}?${query}`, { headers: await standing() }))
    },
    mutate: async (procedure: string, input: unknown = {}) =>
      askProcedure(app, asked(`${TRPC_PATH}/${procedure}`, { method: 'POST', body: input, headers: await standing() })),
  }
}

type Envelope = {
  result?: { data: unknown }
  error?: string | { message: string; data: { code: string; httpStatus: number } }
}

/** The answer to a procedure request; a thrown error becomes an answer, as in production. */
export async function askProcedure(app: App, request: Request): Promise<ProcedureAnswer> {
  const response = await trpc.handle(app, request)
  const { result, error }: Envelope = await response.json()
  if (result) return { status: response.status, data: result.data }
  if (typeof error === 'string') return { status: response.status, message: error }
  return { status: response.status, ...(error ? { code: error.data.code, message: error.message } : {}) }
}

/** The data of a 200 answer. Throws for any other answer. */
export function dataOf<T>(answer: ProcedureAnswer): T {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  return answer.data as T
}
