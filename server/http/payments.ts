import { ServiceError } from '../errors'
import type { App } from '../services/app'
import { type Caller, unauthorized } from '../services/caller'
import type { Prefix } from '../services/prefixes'
import { settle } from '../services/settle'
import { verify } from '../services/verify'
import { parsePayment } from '../x402/parse'
import { claimedPayer, type Payment } from '../x402/payment'
import { PAYMENT_BODY_LIMIT, readBody } from './body'
import { once } from './idempotency'
import { type PaymentAnswer, settleAnswer, verifyAnswer } from './payment-answers'
import { type Identity, identify, type Params } from './prefix'
import { refuse, type Surface } from './refusal'
import { requestId } from './request'

type Handler = (app: App, request: Request, params: Params) => Promise<Response>

/** `POST {prefix}/verify` */
export function verifyUnder(prefix: Prefix): Handler {
  return (app, request, params) =>
    serve(app, request, 'verify', identify(app, prefix, request, params), async ({ caller, payment }) =>
      verifyAnswer(await verify(app, caller, payment)),
    )
}

/** `POST {prefix}/settle` */
export function settleUnder(prefix: Prefix): Handler {
  return (app, request, params) => {
    const identity = identify(app, prefix, request, params)
    return serve(app, request, 'settle', identity, ({ caller, payment, bytes }) =>
      once(app, { caller, request, bytes }, async (turn) => {
        const asked = { payment, waiting: { ...turn, hangUp: request.signal } }
        // Null: the settings or the key changed between admission and claim. Admitted once more, as they are now.
        const answer =
          (await settle(app, { ...asked, caller })) ?? (await settle(app, { ...asked, caller: await identity.now() }))
        if (answer) return settleAnswer(app, payment, answer)
        throw new ServiceError('unavailable', "this API key's settings are being changed; nothing was sent, try again", {
          reason: 'settings_changed',
          retryAfterSeconds: 1,
        })
      }),
    )
  }
}

/** Every address of a keyed route whose path holds no key. */
export function missingKey(surface: Surface): Handler {
  return async (app, request) => refuse(surface, unauthorized(), app.log, requestId(request))
}

type Asked = { caller: Caller; payment: Payment; bytes: Uint8Array }

// In this order: who, how often, how large, what. A refusal for who or how often never depends on the body.
async function serve(
  app: App,
  request: Request,
  surface: Surface,
  identity: Identity,
  act: (asked: Asked) => Promise<PaymentAnswer>,
): Promise<Response> {
  let payment: Payment | undefined
  let log = app.log
  try {
    const caller = await identity.caller()
    log = log.child({ tenantId: caller.tenantId })
    await app.rateLimit(caller.id, caller.limits.requestsPerSecond)
    const { json, bytes } = await readBody(request, PAYMENT_BODY_LIMIT)
    payment = parsePayment(json)
    const { body, headers, failed } = await act({ caller, payment, bytes })
    // Merchants' middlewares drop the sentence and keep the word: whoever looks for the cause finds it here.
    if (failed)
      log.info({ requestId: requestId(request), network: payment.network, reason: failed.reason, why: failed.message }, 'judged')
    return Response.json(body, { headers })
  } catch (error) {
    const told = payment ? { network: payment.spelling, payer: claimedPayer(payment) } : {}
    return refuse(surface, error, log, requestId(request), told)
  }
}
