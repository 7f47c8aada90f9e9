import { QUOTA_HEADERS } from '../http/openapi/headers'
import type { Operation } from '../http/openapi/operation'
import { idempotencyKey, paths } from '../http/openapi/parameters'
import { refused, refusedPayment } from '../http/openapi/responses'
import type { Prefix } from '../x402/networks'
import { paymentRequest, settled, settlements, supported, verified } from './schemas/payment'

type Under = { prefix: Prefix; path: string; suffix: string; where: string }

const unders: readonly Under[] = [
  { prefix: 'sandbox', path: '/sandbox', suffix: 'Sandbox', where: 'in the sandbox' },
  { prefix: 'v1', path: '/v1/:key', suffix: '', where: 'with an API key' },
  { prefix: 'flash', path: '/v1/:key/flash', suffix: 'Flash', where: 'with an API key, at the preconfirmation' },
]

/** What is the same below every prefix, said once for each. */
export function underEach(tell: (under: Under) => Omit<Operation, 'credentials'>): Operation[] {
  return unders.map((under) => {
    const operation = tell(under)
    const keyed = under.prefix !== 'sandbox'
    return {
      ...operation,
      credentials: keyed ? ['key'] : [],
      parameters: [...(keyed ? [paths.key] : []), ...operation.parameters],
    }
  })
}

/** What a bad key is answered: 401, and on flash 403 for a plan without it. */
export const keyRefusals = ({ prefix }: Pick<Under, 'prefix'>) =>
  prefix === 'sandbox' ? [] : prefix === 'flash' ? ([401, 403] as const) : ([401] as const)

const verify = underEach((under) => ({
  pattern: `${under.path}/verify`,
  method: 'POST',
  id: `verify${under.suffix}`,
  tag: 'Payments',
  shownAs: { address: '{prefix}/verify', title: 'Verify a payment' },
  title: `Verify a payment ${under.where}`,
  about:
    'Judges a payment as settle would: form, signature, amount, recipient, balance, screening. Moves and writes nothing; costs one verification. A payment that is not good is an answer 200.',
  parameters: [],
  body: { schema: paymentRequest, required: true },
  answers: {
    200: { about: 'The judgement.', schema: verified, headers: QUOTA_HEADERS },
    ...refusedPayment('verify', 400, ...(under.prefix === 'sandbox' ? [] : ([401] as const)), 403, 413, 429, 500, 502, 503),
  },
}))

const settle = underEach((under) => ({
  pattern: `${under.path}/settle`,
  method: 'POST',
  id: `settle${under.suffix}`,
  tag: 'Payments',
  shownAs: { address: '{prefix}/settle', title: 'Settle a payment' },
  title: `Settle a payment ${under.where}`,
  about:
    'Puts the transfer on the chain, pays the gas, and answers when it has landed (below /flash: when it is preconfirmed). Repeat the identical request after a lost answer: it never pays twice.',
  parameters: [idempotencyKey],
  body: { schema: paymentRequest, required: true },
  answers: {
    200: {
      about: 'The outcome, or `settlement_pending` when it is not known at the deadline.',
      schema: settled,
      headers: ['x-settlement-id', ...QUOTA_HEADERS, 'extension-responses', 'idempotent-replayed'],
    },
    ...refusedPayment('settle', 400, ...(under.prefix === 'sandbox' ? [] : ([401] as const)), 403, 409, 413, 429, 500, 502, 503),
  },
}))

const lookUp = underEach((under) => ({
  pattern: `${under.path}/settlements/:id`,
  method: 'GET',
  id: `getSettlements${under.suffix}`,
  tag: 'Payments',
  shownAs: { address: '{prefix}/settlements/{id}', title: 'Look a settlement up' },
  title: `Look a settlement up ${under.where}`,
  about:
    'What became of a settlement, for whoever lost its answer. Each tenant, and each address of the sandbox, sees its own. Not metered.',
  parameters: [paths.settlement],
  answers: {
    200: { about: 'The caller’s settlements with this id or in this transaction.', schema: settlements },
    ...refused(400, ...keyRefusals(under), 404, 429, 503),
  },
}))

const supportedUnder = underEach((under) => ({
  pattern: `${under.path}/supported`,
  method: 'GET',
  id: `getSupported${under.suffix}`,
  tag: 'Payments',
  shownAs: { address: '{prefix}/supported', title: 'What can be settled' },
  title: `What can be settled ${under.where}`,
  about: 'Networks, assets and signers that this caller can use. Middlewares read it once, at their start.',
  parameters: [],
  answers: {
    200: { about: 'What this caller can use.', schema: supported },
    ...refused(...keyRefusals(under), 429, 503),
  },
}))

/** The routes of merchants’ servers. */
export const payments: readonly Operation[] = [
  ...verify,
  ...settle,
  ...lookUp,
  ...supportedUnder,
  {
    pattern: '/supported',
    method: 'GET',
    id: 'getSupportedEverywhere',
    tag: 'Payments',
    title: 'What can be settled below any prefix',
    about: 'Every configured network, whoever may use it.',
    credentials: [],
    parameters: [],
    answers: { 200: { about: 'Every configured network.', schema: supported }, ...refused(429) },
  },
]
