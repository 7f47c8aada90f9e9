'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CREDITS_MAX, CREDITS_MIN, VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { type Environment, networkTitle } from '@/server/x402/networks/networks'
import { useMinute } from '../../client/clock'
import { environmentOn, moneyOn, priceOf } from '../../client/credit-price-text'
import { environmentTitles } from '../../client/environment'
import { Problem } from '../../client/problem'
import { FRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { isSameAddress, type SigningWallet } from '../../client/wallets/signing-wallet'
import { isSvmTerms } from '../../client/wallets/terms'
import { useWallets } from '../../client/wallets/use-wallets'
import { WalletButtons } from '../../client/wallets/wallet-buttons'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, TextField } from '../../ui/fields'
import { Skeleton } from '../../ui/panel'
import { lastsText } from './burn-down'
import { fetchTerms, type KeyChoice, type Purchased } from './purchase'
import { creditHistoryQuery } from './queries'
import { TopUpSteps } from './top-up-steps'
import type { AgentBalance } from './use-balance'
import { useTopUp } from './use-top-up'

type Props = {
  /** The signed-in wallet. */
  address: string
  environment: Environment
  /** The wallet's credits and keys before the purchase. */
  balance: AgentBalance
  onClose: () => void
  onBought: (purchased: Purchased) => void
}

/** Buys credits: amount, network, wallet and payment. */
export function TopUp(props: Props) {
  const topUp = useTopUp(props.onBought)
  const { state } = topUp.progress
  // Stays open while it settles: the response contains the key.
  const close = () => (state === 'going' ? undefined : props.onClose())
  return (
    <Dialog
      title="Buy credits"
      open
      onClose={close}
      description={`One credit settles one payment and costs ${priceOf(1)} USDC. The minimum is ${CREDITS_MIN}, and credits do not expire.`}
    >
      <Body {...props} topUp={topUp} />
    </Dialog>
  )
}

function Body({ address, environment, balance, topUp }: Props & { topUp: ReturnType<typeof useTopUp> }) {
  const offered = useQuery({
    queryKey: ['purchase terms'],
    queryFn: () => fetchTerms(CREDITS_MIN),
    staleTime: FRESH_MS.account,
    retry: false,
  })
  const found = useWallets()
  const last = balance.lastPurchase?.credits
  const [text, setText] = useState('1,000')
  const lasts = useLasts(environment)
  const [another, setAnother] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [picked, setPicked] = useState<SigningWallet | null>(null)
  if (topUp.progress.state !== 'choosing') return <TopUpSteps {...topUp} progress={topUp.progress} />
  if (offered.error) return <Problem error={offered.error} />
  if (!offered.data) return <Skeleton className="h-96" />
  const family = address.startsWith('0x') ? 'evm' : 'svm'
  const sold = offered.data.accepts.filter((terms) => isSvmTerms(terms) === (family === 'svm')).map(({ network }) => network)
  const network = sold.find((id) => id === chosen) ?? sold.find((id) => environmentOn(id) === environment) ?? sold[0]
  if (!network) return <SoldElsewhere networks={offered.data.accepts.map((terms) => terms.network)} />
  // A service may sell credits of one environment only.
  const isHere = environmentOn(network) === environment
  const credits = creditsIn(text)
  const fitting = found.wallets?.filter((one) => one.family === family) ?? []
  // The wallet that signed in, or the only one, unless another one was picked.
  const wallet =
    picked ?? fitting.find((one) => isSignedIn(one, family, address)) ?? (fitting.length === 1 ? fitting[0] : null) ?? null
  return (
    <div className="grid gap-5">
      <div className="grid gap-2">
        <TextField
          label="Credits"
          inputMode="numeric"
          value={text}
          onChange={({ target }) => setText(target.value)}
          error={
            text !== '' && credits === null
              ? `Enter a whole number from ${CREDITS_MIN} to ${CREDITS_MAX.toLocaleString('en')}`
              : undefined
          }
          autoFocus
        />
        <fieldset aria-label="Amounts" className="grid auto-cols-fr grid-flow-col gap-2 sm:flex">
          {[...new Set([...(last ? [last] : []), ...QUICK])].map((count) => (
            <Button
              key={count}
              size="small"
              aria-pressed={credits === count}
              onClick={() => setText(count.toLocaleString('en'))}
              className="max-sm:h-12 max-sm:flex-col max-sm:gap-0 max-sm:px-1"
            >
              {count.toLocaleString('en')}
              {count === last ? <span className="text-soft">last time</span> : null}
            </Button>
          ))}
        </fieldset>
        {credits === null ? null : (
          <WhatYouGet
            credits={credits}
            lasts={isHere ? lasts(balance.credits.left + credits) : null}
            left={isHere ? balance.credits.left : null}
            title={environmentTitles[environmentOn(network)]}
          />
        )}
      </div>
      <ChoiceField
        label="Network"
        value={network}
        options={sold.map((id) => [id, networkTitle(id)] as const)}
        onChange={({ target }) => setChosen(target.value)}
      />
      <section aria-label="Wallet" className="grid gap-1.5">
        <h3 className="text-sm font-medium">Wallet</h3>
        <WalletButtons {...found} family={family} disabled={false} chosen={wallet} onChoose={setPicked} />
      </section>
      <div className="grid">
        {balance.keys.length > 0 ? (
          <label className="flex min-h-8 items-center gap-2">
            <input type="checkbox" checked={another} onChange={({ target }) => setAnother(target.checked)} />
            Create another key too
          </label>
        ) : null}
        <p className="text-sm text-soft">{keyText(balance, another ? 'new' : 'keep')}</p>
      </div>
      <div className="grid gap-2">
        <Button
          look="primary"
          disabled={credits === null || wallet === null}
          onClick={() =>
            credits !== null && wallet && void topUp.start({ wallet, address, credits, network, key: another ? 'new' : 'keep' })
          }
        >
          {credits === null ? 'Pay' : `Pay ${moneyOn(network, priceOf(credits))}`}
        </Button>
        <p className="text-sm text-soft">
          {wallet ? 'Your wallet asks you to sign.' : 'Choose a wallet first.'} We pay the network fee.
        </p>
      </div>
    </div>
  )
}

const isSignedIn = ({ family, account }: SigningWallet, wanted: SigningWallet['family'], address: string): boolean =>
  family === wanted && account !== null && isSameAddress(account.address, address)

type GetProps = {
  credits: number
  lasts: string | null
  /** Null for credits of the other environment. */
  left: number | null
  /** Of the environment of the credits. */
  title: string
}

/** What so many credits are good for. */
function WhatYouGet({ credits, lasts, left, title }: GetProps) {
  return (
    <p className="text-sm text-soft">
      {left === null ? (
        `These are ${title} credits. `
      ) : (
        <span className="font-medium text-ink">
          You then have {(left + credits).toLocaleString('en')} credits{lasts ? `, ${lasts} at your pace` : ''}.{' '}
        </span>
      )}
      Includes {(credits * VERIFICATIONS_PER_CREDIT).toLocaleString('en')} verifications.
    </p>
  )
}

/** How long so many credits last, as far as that is known. */
function useLasts(environment: Environment) {
  const trpc = useTRPC()
  const { data: history } = useQuery(creditHistoryQuery(trpc, environment))
  const now = useMinute()
  return (credits: number) => (history ? lastsText(history, now, credits) : null)
}

/** What becomes of the keys. A wallet without one gets one with either choice (server/agents/purchase.ts). */
export function keyText({ keys, mostKeys }: Pick<AgentBalance, 'keys' | 'mostKeys'>, choice: KeyChoice): string {
  const { length } = keys
  if (length === 0) return 'You get a new key. We show it once.'
  if (choice === 'keep') {
    return length === 1
      ? 'Not needed: your key spends the new credits too.'
      : `Not needed: your ${length} keys spend the new credits too.`
  }
  if (length >= mostKeys) {
    return `You get a new key. ${mostKeys} keys are the maximum, so it revokes the one unused for longest.`
  }
  return `You get a new key. Your ${length === 1 ? 'other key keeps' : `${length} other keys keep`} working; all share your credits.`
}

const QUICK = [1_000, 5_000, 10_000]

function creditsIn(text: string): number | null {
  const digits = text.trim().replaceAll(',', '')
  const credits = /^\d{1,8}$/.test(digits) ? Number(digits) : 0
  return credits >= CREDITS_MIN && credits <= CREDITS_MAX ? credits : null
}

// Credits belong to the paying wallet.
function SoldElsewhere({ networks }: { networks: readonly string[] }) {
  return (
    <p>
      This facilitator sells credits only on {new Intl.ListFormat('en').format(networks.map(networkTitle))}. Sign in with a wallet
      of that network.
    </p>
  )
}
