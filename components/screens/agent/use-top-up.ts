'use client'

import { useState } from 'react'
import { getAddress } from 'viem'
import type { TransferParts } from '@/server/agents/purchase-payment'
import { useTRPC } from '../../client/trpc'
import { isSameAddress, type SigningWallet, walletError } from '../../client/wallets/signing-wallet'
import { isSvmTerms, paymentHeader, type Terms } from '../../client/wallets/terms'
import { transferFor, transferPayload } from '../../client/wallets/transfer'
import { shortened } from '../../ui/shortened'
import { checkedTerms, fetchTerms, type KeyChoice, type Purchased, pay } from './purchase'

/** The steps of a purchase, in order. */
export const steps = ['terms', 'sign', 'settle'] as const

export type Step = (typeof steps)[number]

/** The state of a purchase. A stopped one has an error, and the payment if it is safe to resend. */
export type Progress =
  | { state: 'choosing' }
  | { state: 'going'; step: Step }
  | { state: 'stopped'; step: Step; message: string; header: string | null }

/** An order of credits for a wallet on a network. */
export type Order = { wallet: SigningWallet; address: string; credits: number; network: string; key: KeyChoice }

/** Buys credits with a wallet of this browser, step by step. */
export function useTopUp(onBought: (purchased: Purchased) => void) {
  const trpc = useTRPC()
  const [progress, setProgress] = useState<Progress>({ state: 'choosing' })
  const [order, setOrder] = useState<Order | null>(null)

  const go = (step: Step) => setProgress({ state: 'going', step })
  const stop = (message: string, header: string | null = null) =>
    setProgress((now) => ({ state: 'stopped', step: now.state === 'choosing' ? 'terms' : now.step, message, header }))

  async function send(header: string, key: KeyChoice) {
    go('settle')
    const outcome = await pay(header, key)
    if (outcome.end === 'bought') onBought(outcome.purchased)
    else stop(outcome.message, outcome.end === 'unknown' ? header : null)
  }

  async function start(order: Order) {
    setOrder(order)
    try {
      go('terms')
      const required = await fetchTerms(order.credits)
      const terms = checkedTerms(required, order.network, order.credits)
      go('sign')
      await connectAs(order)
      const fetchParts = () => trpc.agent.solanaTransfer.query({ network: terms.network })
      const payload = await signPayment(order.wallet, order.address, terms, fetchParts)
      await send(paymentHeader(required.resource, terms, payload), order.key)
    } catch (error) {
      stop(walletError(error))
    }
  }

  return {
    progress,
    order,
    start,
    sendAgain: (header: string) => void (order && send(header, order.key)),
    choose: () => setProgress({ state: 'choosing' }),
  }
}

// Credits belong to the paying wallet.
async function connectAs({ wallet, address }: Order): Promise<void> {
  const connected = await wallet.connect()
  if (isSameAddress(connected.address, address)) return
  throw new Error(
    `${wallet.name} uses ${shortened(connected.address)}. Switch it to ${shortened(address)}, the account you signed in with.`,
  )
}

/**
 * The signed payload of a payment of these terms. `fetchParts` returns the parts of a Solana transaction. Throws the wallet's error if it
 * does not sign, and an error for a wallet of another family.
 */
async function signPayment(
  wallet: SigningWallet,
  address: string,
  terms: Terms,
  fetchParts: () => Promise<TransferParts>,
): Promise<Record<string, unknown>> {
  if (isSvmTerms(terms) && wallet.family === 'svm') {
    // Large, and only Solana payments need it. The blockhash expires within a minute, so it is fetched last.
    const { solanaPayload, solanaTransfer } = await import('../../client/wallets/solana-transfer')
    return solanaPayload(await wallet.signTransaction(solanaTransfer(terms, address, await fetchParts()), terms.network))
  }
  if (isSvmTerms(terms) || wallet.family === 'svm') throw new Error(`${wallet.name} cannot pay on this network.`)
  const transfer = transferFor(terms, getAddress(address))
  return transferPayload(transfer, await wallet.signTransfer(transfer))
}
