import { encode } from 'next-auth/jwt'
import type { App } from '../server/app'
import type { Principal } from '../server/sign-in/principal'
import { newToken, sessionCookieName } from '../server/sign-in/session-cookie'
import { TRPC_PATH, trpc } from '../server/trpc/handler'
import { asked } from './history'

export const merchant = (id: string, { admin = false } = {}): Principal => ({ kind: 'merchant', id, admin, name: id })
export const wallet = (address: string): Principal => ({ kind: 'wallet', wallet: address })
export const administrator: Principal = { kind: 'admin' }

/** The header of a browser in which somebody signed in just now; none for nobody. */
export async function cookieOf(
  app: Pick<App, 'config' | 'now'>,
  who: unknown,
  { secret = app.config.sessionSecret, maxAge = 600 }: { secret?: string; maxAge?: number } = {},
): Promise<Record<string, string>> {
  if (who === null) return {}
  const token = { ...newToken(app, 'test', administrator), principal: who }
  return { cookie: `${sessionCookieName(app)}=${await encode({ token, secret, maxAge })}` }
}

/** What a procedure answered: its data, or the code and the words of its refusal. */
export type ProcedureAnswer = { status: number; data?: unknown; code?: string; message?: string }

/** The procedures as the pages of the service ask them for somebody. */
export function pagesOf(app: App, who: Principal | null) {
  const standing = async () => ({
    'content-type': 'application/json',
    origin: new URL(app.config.baseUrl).origin,
    ...(await cookieOf(app, who)),
  })
  return {
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

/** The answer to any request for a procedure; what is thrown becomes one, as in a process. */
export async function askProcedure(app: App, request: Request): Promise<ProcedureAnswer> {
  const response = await trpc[request.method === 'POST' ? 'POST' : 'GET'].handle(app, request)
  const { result, error }: Envelope = await response.json()
  if (result) return { status: response.status, data: result.data }
  if (typeof error === 'string') return { status: response.status, message: error }
  return { status: response.status, ...(error ? { code: error.data.code, message: error.message } : {}) }
}

/** The data of an answer that must be one. Throws with the answer otherwise. */
export function dataOf<T>(answer: ProcedureAnswer): T {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  return answer.data as T
}
