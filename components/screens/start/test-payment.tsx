'use client'

import { Check } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { getAddress, isAddress } from 'viem'
import { type EvmNetworkId, environmentOf, mainAsset, networkRow } from '@/server/x402/networks/networks'
import type { Signer } from '../../client/paid-request/purchase'
import type { Step } from '../../client/paid-request/steps'
import type { TestPayment as Payment } from '../../client/paid-request/test-payment'
import { Problem } from '../../client/problem'
import type { EvmWallet } from '../../client/wallets/signing-wallet'
import { useWallets } from '../../client/wallets/use-wallets'
import { WalletButtons } from '../../client/wallets/wallet-buttons'
import { WalletHost } from '../../client/wallets/wallet-host'
import type { WalletSources } from '../../client/wallets/wallet-store'
import { Button } from '../../ui/button'
import { ExplorerLink } from '../../ui/explorer-link'
import { StepIcon } from '../../ui/step-mark'

type Props = {
  /** Whether this step is one to do now. */
  isNext: boolean
  /** Whether the reader asked for it elsewhere: it then begins by itself. Each ask is true only once. */
  takeAsk: () => boolean
  /** With the key; null while this page knows none. */
  facilitatorUrl: string | null
  /** Creates a key and returns its facilitator URL. */
  createKey: () => Promise<string>
  payTo: string
  network: EvmNetworkId
  /** The sample merchant where it gives test money on this network; null elsewhere. */
  faucet: string | null
  merchantUrl: string | null
  walletConnectProjectId: string | null
}

type Run =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'paid'; transaction: string }
  | { state: 'failed'; message: string }

type Line = Pick<Step, 'state' | 'messages'> & { name: LineName }
type LineName = Step['name'] | 'key'

type Pay = (payment: Payment, report: (line: Line) => void) => Promise<string>

/** Pays a tenth of a cent through the merchant's key: with a new wallet and test money, or with the reader's wallet. */
export function TestPayment({ isNext, takeAsk, facilitatorUrl, createKey, payTo, network, faucet, ...sources }: Props) {
  const { merchantUrl, walletConnectProjectId } = sources
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const [lines, setLines] = useState<Line[]>([])
  const report = (line: Line) => setLines((before) => [...before.filter(({ name }) => name !== line.name), line])
  const { symbol } = mainAsset(network)
  const missing = missingIn(payTo, faucet !== null)
  const running = run.state === 'running'
  const disabled = missing !== null || running
  // A key that was made for this payment stays in the list.
  const needsKey = facilitatorUrl === null || lines.some(({ name }) => name === 'key')
  const names: LineName[] = [...(needsKey ? (['key'] as const) : []), ...(faucet ? (['fund'] as const) : []), 'sign', 'pay']

  async function begin(prepare: () => Promise<Pay>) {
    setLines([])
    setRun({ state: 'running' })
    try {
      const pay = await prepare()
      const url = facilitatorUrl ?? (await made(createKey, report))
      const to = isAddress(payTo) ? payTo : (await engine()).newAddress()
      setRun({ state: 'paid', transaction: await pay({ facilitatorUrl: url, payTo: to, network }, report) })
    } catch (cause) {
      setRun({ state: 'failed', message: cause instanceof Error ? cause.message : String(cause) })
    }
  }

  const fromFaucet = () =>
    begin(async () => {
      const { payFromFaucet } = await engine()
      return (payment, say) => payFromFaucet(payment, faucet ?? '', say)
    })
  const start = useEffectEvent(() => void (takeAsk() && faucet && !disabled && fromFaucet()))
  useEffect(() => start(), [])

  return (
    <div className="grid gap-4 border-b p-4">
      <p className="max-w-prose text-soft">
        {faucet
          ? `Send 0.001 ${symbol} of test money on ${networkRow(network).title} through ${needsKey ? 'a new' : 'your'} key.`
          : `Send 0.001 ${symbol} on ${networkRow(network).title} from another wallet to your address.`}{' '}
        It uses one settlement of your quota.{networkRow(network).testnet ? '' : ' This is real money.'}
      </p>
      <div className="grid justify-items-start gap-2">
        {faucet ? (
          <Button look={isNext ? 'primary' : 'plain'} disabled={disabled} onClick={() => void fromFaucet()}>
            {run.state === 'idle' ? 'Send a test payment' : running ? 'Sending…' : 'Send another'}
          </Button>
        ) : (
          <OwnWallet
            projectId={walletConnectProjectId}
            playgroundUrl={merchantUrl}
            disabled={disabled}
            onChoose={(wallet) =>
              void begin(async () => {
                const [{ paySigned }, signer] = [await engine(), await signerOf(wallet, payTo)]
                return (payment, say) => paySigned(payment, signer, say)
              })
            }
          />
        )}
        {missing ? <p className="text-sm text-soft">{missing}</p> : null}
      </div>
      <ol aria-label="Steps of the payment" className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {names.map((name) => (
          <PaymentLine
            key={name}
            name={name}
            line={lines.find((line) => line.name === name)}
            symbol={symbol}
            withAddress={isAddress(payTo)}
          />
        ))}
      </ol>
      {run.state === 'failed' ? <Problem error={run} /> : null}
      <div role="status">{run.state === 'paid' ? <Paid network={network} transaction={run.transaction} /> : null}</div>
    </div>
  )
}

/** What the reader must enter first; null if nothing. The faucet's money may go to any address. */
function missingIn(payTo: string, hasFaucet: boolean): string | null {
  if (isAddress(payTo) || (payTo === '' && hasFaucet)) return null
  return payTo === '' ? 'Enter your wallet address in step 2 first.' : 'The wallet address in step 2 is incomplete.'
}

async function made(createKey: Props['createKey'], report: (line: Line) => void): Promise<string> {
  report({ name: 'key', state: 'running' })
  try {
    const url = await createKey()
    report({ name: 'key', state: 'done' })
    return url
  } catch (cause) {
    report({ name: 'key', state: 'failed' })
    throw cause
  }
}

// Large, and only used after a click.
const engine = () => import('../../client/paid-request/test-payment')

const TEXTS: Partial<Record<LineName, { title: string; note?: string }>> = {
  key: { title: 'Use a new key', note: 'It is named Quick start. Step 2 uses it.' },
  fund: { title: 'Get test money', note: 'A faucet sends test USDC to a new wallet.' },
  sign: { title: 'Sign the transfer' },
  pay: { title: 'Settle it', note: 'We check and send it, and pay the fee.' },
}
const TO_YOURS = ' to your address.'
const THROWAWAY = ' to a new address.'

const COLORS = { running: 'text-soft', done: 'text-accent', failed: 'text-bad' } as const

type PaymentLineProps = { name: LineName; line: Line | undefined; symbol: string; withAddress: boolean }

/** A step of the payment: what it does, then what was sent. Each takes one line, so that nothing moves. */
function PaymentLine({ name, line, symbol, withAddress }: PaymentLineProps) {
  const text = TEXTS[name]
  const note = name === 'sign' ? `The wallet signs 0.001 ${symbol}${withAddress ? TO_YOURS : THROWAWAY}` : text?.note
  const state = line?.state ?? 'waiting'
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-center gap-x-2.5">
      {state === 'waiting' ? (
        <span aria-hidden className="size-4 rounded-full border-2" />
      ) : (
        <StepIcon state={state} className={COLORS[state]} />
      )}
      {text?.title}
      <span className="col-start-2 h-5 truncate text-sm text-soft" title={line?.messages?.line}>
        {line?.messages ? <code>{line.messages.line}</code> : note}
      </span>
    </li>
  )
}

type OwnWalletProps = WalletSources & { disabled: boolean; onChoose: (wallet: EvmWallet) => void }

function OwnWallet({ disabled, onChoose, ...sources }: OwnWalletProps) {
  const found = useWallets()
  return (
    <>
      <WalletHost {...sources} />
      <WalletButtons
        {...found}
        family="evm"
        disabled={disabled}
        onChoose={(wallet) => (wallet.family === 'evm' ? onChoose(wallet) : undefined)}
      />
    </>
  )
}

// Known before a key is made: the service refuses such a payment.
async function signerOf(wallet: EvmWallet, payTo: string): Promise<Signer> {
  const { address } = await wallet.connect()
  if (getAddress(address) === getAddress(payTo)) {
    throw new Error('A wallet cannot pay itself. Choose another account in your wallet, then pay again.')
  }
  return { address: getAddress(address), signTypedData: (transfer) => wallet.signTransfer(transfer) }
}

function Paid({ network, transaction }: { network: EvmNetworkId; transaction: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-accent">
      <span className="flex items-center gap-2 font-medium">
        <Check aria-hidden className="size-4" /> Settled
      </span>
      <a href={`/dashboard/settlements?${new URLSearchParams({ environment: environmentOf(network), search: transaction })}`}>
        View the settlement
      </a>
      <ExplorerLink network={network} transaction={transaction} />
    </p>
  )
}
