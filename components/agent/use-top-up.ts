'use client'

import { useState } from 'react'
import { useTRPCClient } from '../data/trpc'
import { shortened } from '../ui/copyable'
import { refusalOf } from '../wallets/refusal'
import type { SigningWallet } from '../wallets/signing-wallet'
import { paymentHeader } from '../wallets/terms'
import { signPayment } from './payment'
import { askTerms, type Purchased, pay, termsAsShown } from './purchase'

/** What a purchase goes through, in order. */
export const steps = ['terms', 'sign', 'settle'] as const

export type Step = (typeof steps)[number]

/** Where a purchase is. One that stopped says why, and holds the payment when it may be sent again. */
export type Progress =
  | { state: 'choosing' }
  | { state: 'going'; step: Step }
  | { state: 'stopped'; step: Step; message: string; header: string | null }

/** What is bought: credits for the wallet of this address, on that network. */
export type Order = { wallet: SigningWallet; address: string; credits: number; network: string }

/** Buys credits with a wallet of this browser, step by step. */
export function useTopUp(onBought: (purchased: Purchased) => void) {
  const service = useTRPCClient()
  const [progress, setProgress] = useState<Progress>({ state: 'choosing' })

  const go = (step: Step) => setProgress({ state: 'going', step })
  const stop = (message: string, header: string | null = null) =>
    setProgress((now) => ({ state: 'stopped', step: now.state === 'choosing' ? 'terms' : now.step, message, header }))

  async function send(header: string) {
    go('settle')
    const outcome = await pay(header)
    if (outcome.end === 'bought') onBought(outcome.purchased)
    else stop(outcome.message, outcome.end === 'unknown' ? header : null)
  }

  async function start(order: Order) {
    try {
      go('terms')
      const required = await askTerms(order.credits)
      const terms = termsAsShown(required, order.network, order.credits)
      go('sign')
      await connectAs(order)
      const ask = () => service.agent.solanaTransfer.query({ network: terms.network })
      await send(paymentHeader(required.resource, terms, await signPayment(order.wallet, order.address, terms, ask)))
    } catch (error) {
      stop(refusalOf(error))
    }
  }

  return { progress, start, sendAgain: (header: string) => void send(header), choose: () => setProgress({ state: 'choosing' }) }
}

// Credits belong to whoever pays.
async function connectAs({ wallet, address }: Order): Promise<void> {
  const connected = await wallet.connect()
  if (isSame(connected.address, address)) return
  throw new Error(
    `${wallet.name} is at ${shortened(connected.address)}; switch it to ${shortened(address)}, the account you signed in with.`,
  )
}

// Case is spelling in hex, and meaning in base58.
function isSame(one: string, other: string): boolean {
  return one === other || (other.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
