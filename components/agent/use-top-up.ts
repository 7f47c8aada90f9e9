'use client'

import { useState } from 'react'
import { getAddress } from 'viem'
import { shortened } from '../ui/copyable'
import { refusalOf } from '../wallets/refusal'
import type { EvmWallet } from '../wallets/signing-wallet'
import { paymentHeader, transferFor } from '../wallets/transfer'
import { askTerms, type Purchased, pay } from './purchase'

/** What a purchase goes through, in order. */
export const steps = ['terms', 'sign', 'settle'] as const

export type Step = (typeof steps)[number]

/** Where a purchase is. One that stopped says why, and holds the payment when it may be sent again. */
export type Progress =
  | { state: 'choosing' }
  | { state: 'going'; step: Step }
  | { state: 'stopped'; step: Step; message: string; header: string | null }

/** What is bought: credits for the wallet of this address, on that network. */
export type Order = { wallet: EvmWallet; address: string; credits: number; network: string }

/** Buys credits with a wallet of this browser, step by step. */
export function useTopUp(onBought: (purchased: Purchased) => void) {
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
      const { resource, accepts } = await askTerms(order.credits)
      const terms = accepts.find(({ network }) => network === order.network)
      if (!terms) throw new Error('Credits are not sold on this network any more.')
      go('sign')
      const transfer = transferFor(terms, await accountOf(order))
      const signature = await order.wallet.signTransfer(transfer)
      await send(paymentHeader(resource, terms, transfer, signature))
    } catch (error) {
      stop(refusalOf(error))
    }
  }

  return { progress, start, sendAgain: (header: string) => void send(header), choose: () => setProgress({ state: 'choosing' }) }
}

// Credits belong to whoever pays.
async function accountOf({ wallet, address }: Order) {
  const connected = await wallet.connect()
  if (connected.address.toLowerCase() === address.toLowerCase()) return getAddress(address)
  throw new Error(
    `${wallet.name} is at ${shortened(connected.address)}; switch it to ${shortened(address)}, the account you signed in with.`,
  )
}
