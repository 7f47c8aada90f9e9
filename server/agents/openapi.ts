import { agentConfig } from '../accounts/schemas'
import { historyPage } from '../history/schemas'
import type { HeaderName } from '../http/openapi/headers'
import type { Answer, Answers, Operation } from '../http/openapi/operation'
import * as parameters from '../http/openapi/parameters'
import { refused } from '../http/openapi/responses'
import { bodies } from '../http/schemas'
import { agentKey, balance, creditOffers, purchased, purchasePending, revokedKey } from './schemas'

const WALLET = ['siwe', 'session'] as const
const RECEIPT = ['payment-response', 'x-payment-response', 'x-settlement-id'] as const satisfies HeaderName[]
const offer = (about: string, ...headers: HeaderName[]): Answer => ({
  about,
  schema: creditOffers,
  headers: ['payment-required', ...headers],
})

/** Refusals of a payment to us: they may name its settlement. */
function refusedPurchase(): Answers {
  const { 409: taken, 429: crowded, 502: upstream, 503: unavailable, ...others } = refused(400, 403, 409, 413, 429, 502, 503)
  const told = (answer: Answer | undefined): Answer => ({ about: '', ...answer, headers: ['retry-after', 'x-settlement-id'] })
  return {
    ...others,
    409: { ...told(taken), about: 'This payment was submitted before. Sign in as its wallet for its credits and a key.' },
    429: told(crowded),
    502: told(upstream),
    503: told(unavailable),
  }
}

/** What an agent does with a wallet and without anybody’s leave. */
export const agents: readonly Operation[] = [
  {
    pattern: '/api/v1/agent/purchase',
    method: 'GET',
    id: 'offerCredits',
    tag: 'Agents',
    title: 'What credits cost',
    about: 'Always a 402, which x402 clients pay with a POST. 1,000 credits cost 1 USDC; at least 100, at most 10,000,000.',
    credentials: [],
    parameters: parameters.offer,
    answers: { 402: offer('The offer.'), ...refused(400, 429, 503) },
  },
  {
    pattern: '/api/v1/agent/purchase',
    method: 'POST',
    id: 'buyCredits',
    tag: 'Agents',
    title: 'Buy credits and get a key',
    about:
      'Credits belong to the wallet that pays, in the environment (mainnets or testnets) of the network that it pays on. They follow the amount that was signed; `credits` only shapes the offer. No body.',
    credentials: ['payment'],
    parameters: [...parameters.offer, ...parameters.paymentHeaders],
    answers: {
      200: { about: 'Paid.', schema: purchased, headers: RECEIPT },
      202: { about: 'On its way.', schema: purchasePending, headers: RECEIPT },
      402: offer('The offer: no payment was sent, or it failed, which `error` and PAYMENT-RESPONSE explain.', ...RECEIPT),
      ...refusedPurchase(),
    },
  },
  {
    pattern: '/api/v1/agent/balance',
    method: 'GET',
    id: 'getBalance',
    tag: 'Agents',
    title: 'What is left of the credits',
    about: 'Zeros for a wallet that never bought.',
    credentials: WALLET,
    parameters: parameters.environment,
    answers: { 200: { about: 'The balance.', schema: balance }, ...refused(400, 401, 429, 503) },
  },
  {
    pattern: '/api/v1/agent/keys',
    method: 'POST',
    id: 'createAgentKey',
    tag: 'Agents',
    title: 'Get another key',
    about: 'For a wallet that has bought before and lost its key. No body. 404 before the first purchase.',
    credentials: WALLET,
    parameters: [],
    answers: { 201: { about: 'A new key.', schema: agentKey }, ...refused(401, 403, 404, 413, 429, 503) },
  },
  {
    pattern: '/api/v1/agent/keys/:id',
    method: 'DELETE',
    id: 'revokeAgentKey',
    tag: 'Agents',
    title: 'Revoke a key',
    about: 'It opens nothing from now on.',
    credentials: WALLET,
    parameters: [parameters.paths.agentKey],
    answers: { 200: { about: 'Revoked.', schema: revokedKey }, ...refused(401, 404, 413, 429, 503) },
  },
]

/** What was there before credits were. */
export const agentSettings: readonly Operation[] = [
  {
    pattern: '/api/v1/agent/config',
    method: 'PATCH',
    id: 'changeAgentConfig',
    tag: 'Agents',
    title: 'Choose the networks and the history of a wallet’s keys',
    about:
      'For all live keys of the wallet, from then on. Networks alone leave history as it is; an empty object switches it on. 404 before the first key.',
    credentials: WALLET,
    parameters: [],
    body: { schema: bodies.agentChanges, required: false },
    answers: { 200: { about: 'The settings as they are now.', schema: agentConfig }, ...refused(400, 401, 404, 413, 429, 503) },
  },
  {
    pattern: '/api/v1/agent/history',
    method: 'GET',
    id: 'listAgentHistory',
    tag: 'Agents',
    title: 'What an agent’s keys settled',
    about: 'Settlements of the keys that the wallet owns.',
    credentials: WALLET,
    parameters: parameters.historyPage,
    answers: { 200: { about: 'A page.', schema: historyPage }, ...refused(400, 401, 429, 503) },
  },
]
