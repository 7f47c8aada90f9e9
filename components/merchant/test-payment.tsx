'use client'

import { Check, LoaderCircle, X } from 'lucide-react'
import { useState } from 'react'
import { getAddress, isAddress } from 'viem'
import { explorerName, transactionUrl } from '@/server/x402/explorers'
import { type EvmNetworkId, networks } from '@/server/x402/networks'
import type { Signer } from '../playground/purchase'
import type { Step } from '../playground/steps'
import type { TestPayment as Payment } from '../playground/test-payment'
import { Button } from '../ui/button'
import { Problem } from '../ui/panel'
import type { EvmWallet } from '../wallets/signing-wallet'
import { useWallets } from '../wallets/use-wallets'
import { WalletButtons } from '../wallets/wallet-buttons'
import { WalletHost } from '../wallets/wallet-host'
import type { WalletSources } from '../wallets/wallet-store'

type Props = {
  /** With the key; null until a key was created here. */
  facilitatorUrl: string | null
  payTo: string
  network: EvmNetworkId
  /** The sample merchant whose faucet gives test money; null without one. */
  merchantUrl: string | null
  walletConnectProjectId: string | null
}

type Run =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'paid'; transaction: string }
  | { state: 'failed'; message: string }

const NAMES: Partial<Record<Step['name'], string>> = { fund: 'Get test money', sign: 'Sign the transfer', pay: 'Settle it' }

/** Pays a tenth of a cent through the merchant's key: with a new wallet and test money, or with the reader's wallet. */
export function TestPayment({ facilitatorUrl, payTo, network, merchantUrl, walletConnectProjectId }: Props) {
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const [steps, setSteps] = useState<Step[]>([])
  const report = (step: Step) => setSteps((before) => [...before.filter(({ name }) => name !== step.name), step])
  const faucet = network === 'eip155:84532' ? merchantUrl : null
  const missing =
    facilitatorUrl === null
      ? 'Create a key in step 1 first. Older keys cannot be shown again.'
      : isAddress(payTo)
        ? null
        : 'Enter your wallet address first.'
  const running = run.state === 'running'

  async function begin(pay: (payment: Payment) => Promise<string>) {
    if (facilitatorUrl === null || !isAddress(payTo)) return
    setSteps([])
    setRun({ state: 'running' })
    try {
      setRun({ state: 'paid', transaction: await pay({ facilitatorUrl, payTo, network }) })
    } catch (cause) {
      setRun({ state: 'failed', message: cause instanceof Error ? cause.message : String(cause) })
    }
  }

  return (
    <div className="grid gap-3 border-0 border-b border-solid border-line p-4">
      <p className="m-0 text-soft">
        Send a test payment of 0.001 USDC on {networks[network].title} to your address. It uses one settlement of your quota.
        {networks[network].testnet ? '' : ' This is real money.'}
      </p>
      {missing ? <p className="m-0 text-[0.8125rem] text-soft">{missing}</p> : null}
      <div className="flex flex-wrap items-start gap-2">
        {faucet ? (
          <Button
            look="primary"
            disabled={missing !== null || running}
            onClick={() => void begin(async (payment) => (await engine()).payFromFaucet(payment, faucet, report))}
          >
            Send a test payment
          </Button>
        ) : (
          <OwnWallet
            projectId={walletConnectProjectId}
            playgroundUrl={merchantUrl}
            disabled={missing !== null || running}
            onChoose={(wallet) =>
              void begin(async (payment) => (await engine()).paySigned(payment, await signerOf(wallet), report))
            }
          />
        )}
      </div>
      <ol className="grid gap-1 empty:hidden">
        {steps.map(({ name, state, sight }) => (
          <li key={name} className="flex min-w-0 items-center gap-2 text-[0.8125rem]">
            {state === 'done' ? (
              <Check role="img" aria-label="Done" className="size-4 text-accent" />
            ) : state === 'failed' ? (
              <X role="img" aria-label="Failed" className="size-4 text-bad" />
            ) : (
              <LoaderCircle role="img" aria-label="In progress" className="size-4 text-soft motion-safe:animate-spin" />
            )}
            {NAMES[name]}
            {sight ? <code className="truncate text-soft">{sight.line}</code> : null}
          </li>
        ))}
      </ol>
      {run.state === 'failed' ? <Problem error={run} /> : null}
      <div role="status">{run.state === 'paid' ? <Paid network={network} transaction={run.transaction} /> : null}</div>
    </div>
  )
}

// Large, and only used after a click.
const engine = () => import('../playground/test-payment')

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

async function signerOf(wallet: EvmWallet): Promise<Signer> {
  const { address } = await wallet.connect()
  return { address: getAddress(address), signTypedData: (transfer) => wallet.signTransfer(transfer) }
}

function Paid({ network, transaction }: { network: EvmNetworkId; transaction: string }) {
  const url = transactionUrl(network, transaction)
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-2 text-accent">
      <Check aria-hidden className="size-4" /> Settled.
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          View on {explorerName(network)}
        </a>
      ) : (
        <code className="wrap-anywhere">{transaction}</code>
      )}
    </p>
  )
}
