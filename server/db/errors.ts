import { z } from 'zod'

// Prisma's client, its adapter, the driver and its pool each have their own error shape; only this file knows them.
const Failure = z.object({
  message: z.string(),
  code: z.string().optional().catch(undefined),
  // Only PostgreSQL's own errors have it; their code is the SQLSTATE.
  severity: z.string().optional().catch(undefined),
  meta: z
    .object({
      driverAdapterError: z.object({
        cause: z.object({
          kind: z.string(),
          originalCode: z.string().optional(),
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
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
  // Node: a socket that is refused, gone, or whose file is missing
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])

// SQLSTATE: connection, access, resources, operator intervention and statement timeout, system; no such database; write conflict, deadlock;
// lock not available; standby after a failover
const SQLSTATE = /^(08|28|53|57|58)|^(3D000|40001|40P01|55P03|25006)$/

// errors of pg and its pool, which carry no code
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/**
 * Whether the database was down, unreachable, exhausted, too slow or contended: the response is a 503. The statement may have committed
 * all the same, because a connection can be lost after the commit.
 */
export function isUnavailable(error: unknown): boolean {
  const failure = parse(error)
  if (!failure) return false
  const state = sqlState(failure)
  if (state !== undefined) return SQLSTATE.test(state)
  const cause = failure.meta?.driverAdapterError.cause
  if (cause) return KINDS.has(cause.kind)
  return CODES.has(failure.code ?? '') || MESSAGES.test(failure.message)
}

function parse(error: unknown): z.infer<typeof Failure> | undefined {
  const { data } = Failure.safeParse(error)
  return data
}

/** The SQLSTATE of an error of PostgreSQL, through Prisma or the driver; undefined for any other error. */
function sqlState({ code, severity, meta }: z.infer<typeof Failure>): string | undefined {
  if (severity !== undefined) return code
  const original = meta?.driverAdapterError.cause.originalCode
  return original !== undefined && /^[0-9A-Z]{5}$/.test(original) ? original : undefined
}

const sqlStateOf = (error: unknown): string | undefined => {
  const failure = parse(error)
  return failure && sqlState(failure)
}

/**
 * Whether the database rejected a statement and undid it. False when it may have committed: the connection was lost, the server stopped,
 * or the error is unclear.
 */
export function wasRefused(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state !== undefined && !/^(08|57|58|XX)/.test(state)
}

/** Whether a claim failed because the credits that would pay for it are used up (`Settlement_credit`). */
export function isOutOfCredits(error: unknown): boolean {
  return sqlStateOf(error) === 'QT001'
}

/** Whether a statement failed because it would take more units than the month has (`Usage_bounds`). */
export function isOutOfUnits(error: unknown): boolean {
  const failure = parse(error)
  return failure !== undefined && sqlState(failure) === '23514' && failure.message.includes('Usage_bounds')
}
