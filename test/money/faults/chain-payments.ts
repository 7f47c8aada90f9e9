import type { KeyPairSigner } from '@solana/kit'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { signed, v2Body } from '../../support/payloads/payments'
import { signedWithApproval } from '../../support/permit2/permit2'
import { freshIp } from '../../support/service/client'
import { type ProcessAnswer, postTo, type ServiceProcess } from '../../support/service/process'
import { ask } from '../../support/svm/harness'
import type { Customer, KillSetup } from '../kill/kills'
import type { SvmCustomer, SvmKillSetup } from '../kill/svm'

type Service = Pick<ServiceProcess, 'url'>

/** How to make payments on one family of chains. */
export type ChainPayments<Payer, Payment> = {
  /** Makes payers with money for one payment each, before the fault starts. */
  newPayers: (count: number) => Promise<Payer[]>
  sign: (payer: Payer) => Promise<Payment>
  settle: (service: Service, payment: Payment) => Promise<ProcessAnswer>
  verify: (service: Service, payment: Payment) => Promise<ProcessAnswer>
  /** The delivered outcome of a payment: `success` or a reason. Null while it is open. */
  endOf: (payment: Payment) => Promise<string | null>
  /** A payment's outcome must be known within this, in milliseconds. */
  knownMs: number
}

export const SUCCESS = 'success'
const VALUE = 1_000n
const AT_ONCE = 50

async function inPortions<T>(count: number, one: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  while (all.length < count) all.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - all.length) }, one))))
  return all
}

type Delivered = { deliveredAt: Date | null; state: string; reason: string | null }

/** The outcome that the ledger marks as delivered; null if none. */
function outcomeOf(settlements: readonly Delivered[]): string | null {
  const delivered = settlements.find(({ deliveredAt }) => deliveredAt)
  return delivered ? (delivered.reason ?? SUCCESS) : null
}

/** USDC payments by EIP-3009 authorization. */
export function evmPayments(setup: KillSetup): ChainPayments<PrivateKeyAccount, Customer> {
  return {
    async newPayers(count) {
      const payers = await inPortions(count, async () => {
        const payer = privateKeyToAccount(generatePrivateKey())
        await setup.chain.mint(payer.address, VALUE)
        return payer
      })
      // Deeper than any simulated reorganisation or lag.
      await setup.chain.mine(60)
      return payers
    },
    sign: async (payer) => ({ payment: await signed(payer), ip: freshIp() }),
    settle: setup.settle,
    verify: (service, { payment }) => postTo(service, setup.verifyRoute, v2Body(payment), freshIp()),
    endOf: async (customer) => outcomeOf(await setup.settlementsOf(customer)),
    knownMs: 120_000,
  }
}

/** Payments by Permit2, each of a payer without ether that sends its own signed approval along. */
export function approvingPayments(setup: KillSetup): ChainPayments<PrivateKeyAccount, Customer> {
  const sign = async (payer: PrivateKeyAccount) => ({ payment: await signedWithApproval(setup.chain, payer), ip: freshIp() })
  return { ...evmPayments(setup), sign }
}

/** Solana payments, all to one merchant. */
export async function svmPayments(setup: SvmKillSetup): Promise<ChainPayments<KeyPairSigner, SvmCustomer>> {
  const { harness } = setup
  const payTo = await harness.recipient()
  return {
    newPayers: (count) => inPortions(count, () => harness.payer(VALUE)),
    sign: (payer) => setup.newCustomer({ payer, payTo }),
    settle: setup.settle,
    verify: (service, { body }) => postTo(service, '/sandbox/verify', body, freshIp()),
    async endOf(customer) {
      const settlements = await setup.settlementsOf(customer)
      if (settlements.length > 0) return outcomeOf(settlements)
      // We signed nothing, and its blockhash has expired.
      return (await isAlive(harness.solana.url, customer.blockhash)) ? null : 'never signed'
    },
    // A blockhash lives for a minute, and its expiry is final 15 seconds later.
    knownMs: 180_000,
  }
}

async function isAlive(url: string, blockhash: string): Promise<boolean> {
  const { value } = await ask<{ value: boolean }>(url, 'isBlockhashValid', [blockhash, { commitment: 'processed' }])
  return value
}
