import { initTRPC, TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import type { App } from '../app'
import { isServiceError, type Refusal, ServiceError } from '../base/errors'
import { isUnavailable } from '../db/errors'
import { administers, ownerOf, type Principal } from '../sign-in/principal'
import { fieldWrongIn } from '../x402/json'

/** The input of a procedure: the App, the principal, its IP address, whose share of the slots it takes, and the request id of the log. */
export type Context = { app: App; principal: Principal | null; ip: string; reader: string; requestId: string }

const CODES = {
  bad_request: 'BAD_REQUEST',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  too_large: 'PAYLOAD_TOO_LARGE',
  too_many: 'TOO_MANY_REQUESTS',
  upstream: 'BAD_GATEWAY',
  unavailable: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<Refusal, TRPCError['code']>

const trpc = initTRPC.context<Context>().create({
  // Stacks go to the log only.
  errorFormatter: ({ shape, error: { cause } }) => ({
    ...shape,
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, field: fieldOf(cause) },
  }),
})

export const { router, createCallerFactory } = trpc

/** The refused field of a form with what is wrong with it; null for any other error. */
function fieldOf(cause: unknown): { path: string; problem: string } | null {
  if (cause instanceof ZodError) {
    const [issue] = cause.issues
    return issue && issue.path.length > 0 ? { path: issue.path.join('.'), problem: issue.message } : null
  }
  const path = isServiceError(cause) ? cause.facts.field : undefined
  return path && cause instanceof Error ? { path, problem: cause.message.slice(path.length + 1) } : null
}

/** Open to all. Refusals keep their text; anything else is a bug and goes to the log only. */
export const openProcedure = trpc.procedure.use(async ({ ctx, next, path }) => {
  const result = await next()
  if (result.ok) return result
  const { code, cause } = result.error
  if (cause instanceof ZodError && code === 'BAD_REQUEST') throw new TRPCError({ code, message: fieldWrongIn(cause), cause })
  if (code !== 'INTERNAL_SERVER_ERROR' && !isServiceError(cause)) return result
  throw reported(result.error, ctx, path)
})

function refusalFor(error: ServiceError): TRPCError {
  return new TRPCError({ code: CODES[error.refusal], message: error.message, cause: error })
}

function reported(error: TRPCError, { app, requestId }: Context, path: string): TRPCError {
  return failureFor(error.cause ?? error, { app, requestId, procedure: path })
}

/** The tRPC error for anything thrown: a refusal keeps its text; any other error is logged and loses its details. */
export function failureFor(
  cause: unknown,
  { app, requestId, procedure }: { app: App; requestId: string; procedure: string },
): TRPCError {
  if (isServiceError(cause)) return refusalFor(cause)
  app.log.error({ err: cause, requestId, procedure }, 'a procedure failed')
  if (isUnavailable(cause)) {
    const message = 'the service cannot reach its database; try again in a moment'
    return new TRPCError({ code: 'SERVICE_UNAVAILABLE', message, cause })
  }
  return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: `internal error; quote request id ${requestId}`, cause })
}

/** The refusal for a caller without that sign-in. */
export const signIn = (as: string) => new ServiceError('unauthorized', `sign in ${as}`)

/** How to sign in to have keys. */
export const AS_MERCHANT = 'as a merchant or with a wallet'

/** The refusal for a principal that is no administrator. */
export const forbidden = () => new ServiceError('forbidden', 'only administrators can see this')

/** For merchants, by the identity provider or a wallet: procedures read and write only rows of `ctx.owner`. */
export const merchantProcedure = openProcedure.use(({ ctx, next }) => {
  const owner = ownerOf(ctx.principal)
  if (!owner) throw signIn(AS_MERCHANT)
  return next({ ctx: { ...ctx, owner } })
})

/** For wallets, as payers and agent owners: procedures read and write only rows of `ctx.wallet`. */
export const walletProcedure = openProcedure.use(({ ctx, next }) => {
  if (ctx.principal?.kind !== 'wallet') throw signIn('with a wallet')
  return next({ ctx: { ...ctx, wallet: ctx.principal.wallet } })
})

/** For administrators. */
export const adminProcedure = openProcedure.use(({ ctx, next }) => {
  if (!ctx.principal) throw signIn('as an administrator')
  if (!administers(ctx.principal)) throw forbidden()
  return next()
})
