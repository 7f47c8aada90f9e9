import { type Caller, keyHolder, keyHolderNow, unauthorized, visitor } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../errors'
import { PAYMENT_BODY_LIMIT, readBody } from '../http/bodies'
import { API_HEADERS, refuse, type Surface } from '../http/errors'
import { limitReading } from '../http/rate-limits'
import { clientIp, requestId } from '../http/request'
import { displayAddress } from '../x402/addresses'
import type { Prefix } from '../x402/networks'
import { parsePayment } from '../x402/parse'
import { claimedPayer, type Payment } from '../x402/payment'
import { once } from './idempotency'
import { lookUp, type Settlement } from './lookup'
import { type PaymentAnswer, settleAnswer, verifyAnswer } from './present'
import { settle } from './settle'
import { verify } from './verify'

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

/** `GET {prefix}/settlements/{id or transaction}`: what became of a settlement, for whoever lost its answer. */
export function settlementsUnder(prefix: Prefix) {
  return async (app: App, request: Request, params: Params): Promise<Response> => {
    const caller = await identify(app, prefix, request, params).caller()
    await limitReading(app, caller)
    const found = await lookUp(app, caller, params.id ?? '')
    return Response.json({ settlements: found.map(shown) }, { headers: API_HEADERS })
  }
}

function shown({ id, state, reason, detail, txHash, network, payer, payTo, amount, resource, createdAt }: Settlement) {
  return {
    ...{
      id,
      state,
      reason,
      message: detail,
      transaction: txHash ?? '',
      network,
      payer: displayAddress(payer),
      pay_to: displayAddress(payTo),
    },
    ...{ amount, resource },
    created_at: createdAt.toISOString(),
  }
}

/** How a request below a prefix says who it is. `now` asks the database itself, past what is remembered for a few seconds. */
export type Identity = { caller(): Promise<Caller>; now(): Promise<Caller> }

/** The parameters of an address, by name. */
export type Params = Record<string, string>

/** Who asks below this prefix: the address of the socket in the sandbox, the key in the path elsewhere. Rejects with the one `unauthorized` for bad keys. */
export function identify(app: App, prefix: Prefix, request: Request, { key = '' }: Params): Identity {
  if (prefix === 'sandbox') {
    const known = async () => visitor(clientIp(request))
    return { caller: known, now: known }
  }
  return { caller: () => keyHolder(app, prefix, key, clientIp(request)), now: () => keyHolderNow(app, prefix, key) }
}
