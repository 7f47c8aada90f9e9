import { type Caller, ipSubject, OPERATOR_TENANT } from '../accounts/caller'
import type { MintedKey } from '../accounts/keyring'
import { creditsFor, plans } from '../accounts/plans'
import type { App } from '../app'
import { isServiceError, ServiceError } from '../errors'
import { type SettleAnswer, settle } from '../payments/settle'
import { type Environment, environmentOf, networks } from '../x402/networks'
import { type Payment, payerIn } from '../x402/payment'
import { accountOf, type Credits } from './credits'
import { accessRevoked, mintAgentKey } from './keys'
import { tierOf } from './offers'
import { findAgentTenant } from './queries'

/** What became of a purchase. A key is given for money that landed or is on its way: it settles as soon as there are credits. */
export type Purchase = Bought | NotBought

type Ending = { payer: string; settlementId: string; transaction: string }

export type Bought = Ending & {
  end: 'paid' | 'pending'
  wallet: string
  environment: Environment
  /** Credits of this purchase, and what the wallet has with it, or will have without it. */
  bought: bigint
  credits: Credits
  key: MintedKey
}

export type NotBought = Ending & { end: 'failed'; reason: string; message: string | null }

export type PurchaseRequest = { payment: Payment; ip: string; hangUp: AbortSignal }

/**
 * Buys credits with a payment to the operator, through the engine of all payments. The credits are written with the settlement's success
 * and belong to the payer. Throws refusals; `conflict` for a payment that has bought already.
 */
export async function purchase(app: App, { payment, ip, hangUp }: PurchaseRequest): Promise<Purchase> {
  const wallet = payerIn(payment)
  const tenant = wallet === '' ? null : await findAgentTenant(app.db, wallet)
  if (tenant?.revoked) throw accessRevoked()
  const caller = buyer(app, payment, ip)
  const answer = await settle(app, { caller, payment, waiting: { hangUp, name: null, again: false } }).catch((error: unknown) => {
    throw isServiceError(error) && error.refusal === 'conflict' ? boughtAlready(error) : error
  })
  if (!answer) throw new Error('the service tenant has no key that could change')
  const { settled, payer } = answer
  const { settlementId } = settled
  // The key would reach no client, and it would end another one.
  if (settled.end === 'hung-up') throw hungUp(settlementId)
  const failure = failureOf(settled)
  if (failure) return { end: 'failed', payer, settlementId, ...failure }
  const key = await mintAgentKey(app, wallet)
  if (!key) throw accessRevoked()
  const environment = environmentOf(payment.network)
  const credits = await accountOf(app, { wallet, environment })
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

function failureOf(settled: SettleAnswer['settled']): Pick<NotBought, 'transaction' | 'reason' | 'message'> | null {
  if (settled.end === 'judged') return { transaction: '', ...settled.failure }
  return settled.end === 'failed' ? { transaction: settled.transaction, reason: settled.reason, message: settled.detail } : null
}

// Identified by address, as in the sandbox: a payment's bytes are public on the chain, and must not give its key to others.
function buyer(app: App, { network }: Payment, ip: string): Caller {
  return {
    tenantId: OPERATOR_TENANT,
    key: null,
    id: `purchase:${ipSubject(ip)}`,
    metered: { by: 'nothing' },
    plan: 'agent',
    tier: tierOf(app, network) ?? 'standard',
    limits: plans.agent,
    prefix: networks[network].testnet ? 'sandbox' : 'v1',
    guardrails: { networks: null, payTo: null, maxAmount: null },
    logged: true,
  }
}

function hungUp(settlementId: string): ServiceError {
  const message = 'the request ended before its outcome was known; repeat the identical one'
  return new ServiceError('unavailable', message, { settlementId, retryAfterSeconds: 2 })
}

// A retry that is too early must wait. The others have their credits, and may have lost the answer with the key.
function boughtAlready(error: ServiceError): ServiceError {
  if (error.facts.retryAfterSeconds !== undefined) return error
  const message =
    'this payment was submitted already; sign in as its wallet to see its credits (GET /api/v1/agent/balance) and to get a key (POST /api/v1/agent/keys)'
  return new ServiceError('conflict', message, { ...error.facts, cause: error })
}
