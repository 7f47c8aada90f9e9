import { type Caller, ipSubject, OPERATOR_TENANT } from '../accounts/caller'
import { creditsFor } from '../accounts/credit-price'
import type { MintedKey } from '../accounts/keyring'
import { plans } from '../accounts/plans'
import type { App } from '../app'
import { isServiceError, ServiceError } from '../base/errors'
import { type SettleAnswer, settle } from '../payments/settle'
import { type Environment, environmentOf, networkRow } from '../x402/networks/networks'
import { type Payment, payerIn } from '../x402/payment'
import { type Credits, creditAccount } from './credits'
import { accessRevoked, mintAgentKey } from './keys'
import { tierOf } from './offers'
import { findAgentTenant } from './queries'

/** The result of a purchase. A paid or pending one gets a key, which works as soon as its credits exist, or keeps those it has. */
export type Purchase = Bought | NotBought

type Ending = { payer: string; settlementId: string; transaction: string }

export type Bought = Ending & {
  end: 'paid' | 'pending'
  wallet: string
  environment: Environment
  /** The credits of this purchase; `credits` is the wallet's total. */
  bought: bigint
  credits: Credits
  /** Null: the wallet has a key and asked for no other. */
  key: MintedKey | null
}

export type NotBought = Ending & { end: 'failed'; reason: string; message: string | null }

/** Whether a purchase makes a key: always, or only for a wallet without a live one. */
export const keyChoices = ['new', 'keep'] as const

type PurchaseRequest = { payment: Payment; key: (typeof keyChoices)[number]; ip: string; hangUp: AbortSignal }

/**
 * Buys credits with a payment to the operator, settled by the usual engine. The credits belong to the payer and are written with the
 * settlement's success. Throws refusals; `conflict` for a payment that was used before.
 */
export async function purchase(app: App, { payment, key: choice, ip, hangUp }: PurchaseRequest): Promise<Purchase> {
  const wallet = payerIn(payment)
  const tenant = wallet === '' ? null : await findAgentTenant(app.db, wallet)
  if (tenant?.revoked) throw accessRevoked()
  const caller = buyer(app, payment, ip)
  const answer = await settle(app, {
    caller,
    // The operator's tenant has no key that could change.
    callerNow: async () => caller,
    payment,
    waiting: { hangUp, name: null, again: false },
    claiming: async () => {},
    counting: () => {},
  }).catch((error: unknown) => {
    throw isServiceError(error) && error.refusal === 'conflict' ? boughtAlready(error) : error
  })
  const { settled, payer } = answer
  const { settlementId } = settled
  // The client is gone: a new key would reach no one and could revoke another.
  if (settled.end === 'hung-up') throw hungUp(settlementId)
  const failure = failureOf(settled)
  if (failure) return { end: 'failed', payer, settlementId, ...failure }
  const key = choice === 'keep' && (await hasKey(app, wallet)) ? null : await newKey(app, wallet)
  const environment = environmentOf(payment.network)
  const credits = await creditAccount(app, { wallet, environment })
  const bought = creditsFor(payment.amount)
  const transaction = 'transaction' in settled ? settled.transaction : ''
  return {
    end: settled.end === 'landed' ? 'paid' : 'pending',
    payer,
    settlementId,
    transaction,
    wallet,
    environment,
    bought,
    credits,
    key,
  }
}

async function hasKey({ db }: App, wallet: string): Promise<boolean> {
  const tenant = await findAgentTenant(db, wallet)
  return tenant !== null && !tenant.revoked && tenant.keys.length > 0
}

async function newKey(app: App, wallet: string): Promise<MintedKey> {
  const key = await mintAgentKey(app, wallet)
  if (key) return key
  throw accessRevoked()
}

function failureOf(settled: SettleAnswer['settled']): Pick<NotBought, 'transaction' | 'reason' | 'message'> | null {
  if (settled.end === 'judged') return { transaction: '', ...settled.failure }
  return settled.end === 'failed' ? { transaction: settled.transaction, reason: settled.reason, message: settled.detail } : null
}

// Identified by IP address: a payment's bytes are public on-chain, so they must not give other callers its key.
function buyer(app: App, { network }: Payment, ip: string): Caller {
  return {
    tenantId: OPERATOR_TENANT,
    key: null,
    id: `purchase:${ipSubject(ip)}`,
    metered: { by: 'nothing' },
    freeFrom: null,
    plan: 'agent',
    tier: tierOf(app, network) ?? 'standard',
    limits: plans.agent,
    prefix: networkRow(network).testnet ? 'sandbox' : 'v1',
    guardrails: { networks: null, payTo: null, maxAmount: null },
    shares: true,
    waitUntil: null,
    publicReceipts: false,
    secondChargeSeconds: null,
    logged: true,
  }
}

function hungUp(settlementId: string): ServiceError {
  const message = 'the request ended before its outcome was known; retry the identical request'
  return new ServiceError('unavailable', message, { settlementId, retryAfterSeconds: 2 })
}

// An early retry must wait. Later ones have their credits, but may have lost the response with the key.
function boughtAlready(error: ServiceError): ServiceError {
  if (error.facts.retryAfterSeconds !== undefined) return error
  const message =
    'this payment was submitted already; sign in as its wallet to see its credits (GET /api/v1/agent/balance) and to get a key (POST /api/v1/agent/keys)'
  return new ServiceError('conflict', message, { ...error.facts, cause: error })
}
