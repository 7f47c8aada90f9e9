import type { KeyPairSigner } from '@solana/kit'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { freshIp } from '../client'
import { signed, v2Body } from '../harness'
import type { KillSetup, Sender } from '../kills'
import { type ProcessAnswer, postTo, type ServiceProcess } from '../process'
import { ask } from '../svm-harness'
import type { SvmKillSetup, SvmSender } from '../svm-kills'

type Service = Pick<ServiceProcess, 'url'>

/** How payments of one kind of chain are made, as traffic needs them. */
export type ChainPayments<Payer, Payment> = {
  /** So many payers of one payment each, paid before anything goes wrong. */
  newPayers: (count: number) => Promise<Payer[]>
  sign: (payer: Payer) => Promise<Payment>
  settle: (service: Service, payment: Payment) => Promise<ProcessAnswer>
  verify: (service: Service, payment: Payment) => Promise<ProcessAnswer>
  /** How a payment ended, once somebody could hear of it: a success, or what became of it instead. Null while that is open. */
  endOf: (payment: Payment) => Promise<string | null>
  /** A payment's end is known within this, milliseconds. */
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

type Told = { deliveredAt: Date | null; state: string; reason: string | null }

/** What the ledger says that a merchant was told. */
function toldOf(settlements: readonly Told[]): string | null {
  const told = settlements.find(({ deliveredAt }) => deliveredAt)
  return told ? (told.reason ?? SUCCESS) : null
}

/** Payments in USDC by authorization. */
export function evmPayments(setup: KillSetup): ChainPayments<PrivateKeyAccount, Sender> {
  return {
    async newPayers(count) {
      const payers = await inPortions(count, async () => {
        const payer = privateKeyToAccount(generatePrivateKey())
        await setup.chain.mint(payer.address, VALUE)
        return payer
      })
      // Deeper than any reorganisation goes, and than any node is behind.
      await setup.chain.mine(60)
      return payers
    },
    sign: async (payer) => ({ payment: await signed(payer), ip: freshIp() }),
    settle: setup.settle,
    verify: (service, { payment }) => postTo(service, setup.verifyRoute, v2Body(payment), freshIp()),
    endOf: async (sender) => toldOf(await setup.settlementsOf(sender)),
    knownMs: 120_000,
  }
}

/** Payments on Solana, all to one merchant. */
export async function svmPayments(setup: SvmKillSetup): Promise<ChainPayments<KeyPairSigner, SvmSender>> {
  const { harness } = setup
  const payTo = await harness.recipient()
  return {
    newPayers: (count) => inPortions(count, () => harness.payer(VALUE)),
    sign: (payer) => setup.newSender({ payer, payTo }),
    settle: setup.settle,
    verify: (service, { body }) => postTo(service, '/sandbox/verify', body, freshIp()),
    async endOf(sender) {
      const settlements = await setup.settlementsOf(sender)
      if (settlements.length > 0) return toldOf(settlements)
      // Nothing of ours is on it, and no block takes it any more.
      return (await isAlive(harness.solana.url, sender.blockhash)) ? null : 'never signed'
    },
    // A blockhash lives for a minute, and is buried after another quarter of one.
    knownMs: 180_000,
  }
}

async function isAlive(url: string, blockhash: string): Promise<boolean> {
  const { value } = await ask<{ value: boolean }>(url, 'isBlockhashValid', [blockhash, { commitment: 'processed' }])
  return value
}
