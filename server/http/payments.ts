import type { App } from '../services/app'
import { type Caller, visitor } from '../services/caller'
import { type Quota, quotaHeaders } from '../services/metering'
import { type SettleAnswer, settle, type Verified, verify } from '../services/payments'
import { parsePayment } from '../x402/parse'
import { claimedPayer, type Payment } from '../x402/payment'
import { reasons } from '../x402/reasons'
import { PAYMENT_BODY_LIMIT, readJson } from './body'
import { API_HEADERS, refuse, type Surface } from './refusal'
import { clientIp, requestId } from './request'

/** `POST /sandbox/verify` */
export function verifySandbox(app: App, request: Request): Promise<Response> {
  return serve(app, request, 'verify', sandboxCaller(request), async (caller, payment) =>
    verifyAnswer(await verify(app, caller, payment)),
  )
}

/** `POST /sandbox/settle` */
export function settleSandbox(app: App, request: Request): Promise<Response> {
  const hangUp = request.signal
  return serve(app, request, 'settle', sandboxCaller(request), async (caller, payment) =>
    settleAnswer(payment, await settle(app, caller, payment, hangUp)),
  )
}

function sandboxCaller(request: Request): Caller {
  return visitor(clientIp(request))
}

// The order of DESIGN: who, how often, how large, what. A refusal for who or how often never depends on the body.
async function serve(
  app: App,
  request: Request,
  surface: Surface,
  caller: Caller,
  act: (caller: Caller, payment: Payment) => Promise<Response>,
): Promise<Response> {
  let payment: Payment | undefined
  try {
    await app.rateLimit(caller.subject, caller.plan.requestsPerSecond)
    payment = parsePayment(await readJson(request, PAYMENT_BODY_LIMIT))
    return await act(caller, payment)
  } catch (error) {
    return refuse(
      surface,
      error,
      app.log,
      requestId(request),
      payment ? { network: payment.spelling, payer: claimedPayer(payment) } : {},
    )
  }
}

function verifyAnswer({ verdict, payer, quota }: Verified): Response {
  const body = verdict.isValid
    ? { isValid: true, payer }
    : { isValid: false, invalidReason: verdict.reason, invalidMessage: verdict.message, payer }
  return Response.json(body, { headers: headersOf(quota) })
}

function settleAnswer(payment: Payment, { settled, payer, quota }: SettleAnswer): Response {
  const id = 'settlementId' in settled ? settled.settlementId : undefined
  return Response.json({ ...settleBody(settled), network: payment.spelling, payer }, { headers: headersOf(quota, id) })
}

function settleBody(settled: SettleAnswer['settled']): { success: boolean; transaction: string } {
  if (settled.end === 'landed') return { success: true, transaction: settled.transaction }
  if (settled.end === 'judged') return failed(settled.failure.reason, settled.failure.message, '')
  if (settled.end === 'failed') return failed(settled.reason, textOf(settled.reason), settled.transaction)
  return failed('settlement_pending', reasons.settlement_pending, settled.end === 'pending' ? settled.transaction : '')
}

function failed(errorReason: string, errorMessage: string, transaction: string) {
  return { success: false, error: errorMessage, errorReason, errorMessage, transaction }
}

function textOf(reason: string): string {
  const texts: Record<string, string> = reasons
  return texts[reason] ?? reason
}

function headersOf(quota: Quota | null, settlementId?: string): Record<string, string> {
  return {
    ...API_HEADERS,
    ...(quota ? quotaHeaders(quota) : {}),
    ...(settlementId === undefined ? {} : { 'x-settlement-id': settlementId }),
  }
}
