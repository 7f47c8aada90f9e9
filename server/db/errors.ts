import { z } from 'zod'

// Prisma's client, adapter and pool each fail in their own shape; this is the one place that knows them.
const Failure = z.object({
  message: z.string(),
  code: z.string().optional().catch(undefined),
  meta: z
    .object({
      driverAdapterError: z.object({
        cause: z.object({
          kind: z.string(),
          originalCode: z.string().optional(),
          originalMessage: z.string().optional(),
        }),
      }),
    })
    .optional()
    .catch(undefined),
})

const KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TlsConnectionError',
  'TooManyConnections',
  'DatabaseDoesNotExist',
  'DatabaseAccessDenied',
  'AuthenticationFailed',
  'TransactionWriteConflict',
])

const CODES = new Set([
  // Prisma: unreachable, timed out, closed, no pool slot, transaction not started or expired, write conflict
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034'],
  // Node: a socket that is refused, gone, or whose file is missing
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
])

// SQLSTATE: connection, resources, operator intervention and statement timeout, system; lock not available; standby after a failover
const SQLSTATE = /^(08|53|57|58)|^(55P03|25006)$/

// errors of pg and its pool, which carry no code
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/**
 * The database could not serve: down, unreachable, exhausted, too slow or contended. The answer is a 503, try again.
 * It does not say that nothing was written: a connection can be lost after the commit.
 */
export function isUnavailable(error: unknown): boolean {
  const failure = parse(error)
  if (!failure) return false
  const cause = failure.meta?.driverAdapterError.cause
  if (cause) return KINDS.has(cause.kind) || SQLSTATE.test(cause.originalCode ?? '')
  return CODES.has(failure.code ?? '') || MESSAGES.test(failure.message)
}

function parse(error: unknown): z.infer<typeof Failure> | undefined {
  const { data } = Failure.safeParse(error)
  return data
}

/**
 * The database said no to a statement and undid it. False where it may have been done all the same: the connection was lost, the
 * server stopped, or nobody knows.
 */
export function wasRefused(error: unknown): boolean {
  const code = parse(error)?.meta?.driverAdapterError.cause.originalCode
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^(08|57|58|XX)/.test(code)
}

/** The database refused a claim because the credits that would pay for it are used up (`Settlement_credit`). */
export function isOutOfCredits(error: unknown): boolean {
  return parse(error)?.meta?.driverAdapterError.cause.originalCode === 'QT001'
}

/** The database undid a statement that would have taken more units of a month than there are ("Usage_bounds"). */
export function isOutOfUnits(error: unknown): boolean {
  const cause = parse(error)?.meta?.driverAdapterError.cause
  return cause?.originalCode === '23514' && cause.originalMessage?.includes('"Usage_bounds"') === true
}
