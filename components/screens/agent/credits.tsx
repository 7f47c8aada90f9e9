import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { isLow, VERIFICATIONS_PER_CREDIT } from '@/server/accounts/credit-price'
import { CREDIT_PRICE_TEXT } from '@/server/accounts/credit-texts'
import { networkTitle } from '@/server/x402/networks/networks'
import { useMinute } from '../../client/clock'
import { LOW_PERCENT, moneyOn, priceOf } from '../../client/credit-price-text'
import { environmentTitles } from '../../client/environment'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { ExplorerLink } from '../../ui/explorer-link'
import { usdc } from '../../ui/figures'
import { Meter } from '../../ui/meter'
import { Empty, Panel } from '../../ui/panel'
import { paceText } from './burn-down'
import { BurnDownChart } from './burn-down-chart'
import { creditHistoryQuery } from './queries'
import type { AgentBalance } from './use-balance'

const count = (of: number) => of.toLocaleString('en')

type Props = { balance: AgentBalance; onBuy: () => void }

/** A wallet's credits: left and for how long, verifications, the last purchase, and the use of 30 days. */
export function Credits({ balance, onBuy }: Props) {
  const { credits, environment, lastPurchase, historyEnabled } = balance
  const trpc = useTRPC()
  const { data: history } = useQuery(creditHistoryQuery(trpc, environment))
  const now = useMinute()
  if (credits.purchased === 0) return <NoCredits balance={balance} onBuy={onBuy} />
  const { left, purchased, verificationsLeft, verificationsUsed } = credits
  const low = isLow(left, purchased)
  const pace = history && historyEnabled ? paceText(history, now) : null
  return (
    <Panel title="Credits" action={<span className="text-sm text-soft">1 credit costs {priceOf(1)} USDC</span>}>
      <dl className="grid grid-cols-2 gap-x-5 gap-y-5 p-4 sm:gap-x-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <Stat
          className="max-lg:col-span-full"
          name="Credits left"
          value={count(left)}
          unit={`of ${count(purchased)} bought`}
          bad={low}
          main
          meter={<Meter label="Credits left" value={left} limit={purchased} alarming={low} />}
        >
          {low ? (
            <Low left={left} pace={pace} />
          ) : (
            <span className="block min-h-[2lh]">
              {pace ?? '1 credit settles 1 payment'}. Below {LOW_PERCENT} a warning shows here, and a{' '}
              <Link href="/dashboard/webhooks?new=true">webhook</Link> can tell your agent.
            </span>
          )}
        </Stat>
        <Stat
          name="Verifications left"
          value={count(verificationsLeft)}
          meter={
            <Meter
              label="Verifications left"
              value={verificationsLeft}
              limit={verificationsLeft + verificationsUsed}
              alarming={false}
            />
          }
        >
          {count(verificationsUsed)} used; each credit includes {VERIFICATIONS_PER_CREDIT}.
        </Stat>
        {lastPurchase ? <LastPurchase {...lastPurchase} /> : <Stat name="Last purchase" value="None" />}
      </dl>
      <div className="grid grid-cols-1 border-t px-4 py-3">
        <BurnDownChart history={history} keepsHistory={historyEnabled} />
      </div>
    </Panel>
  )
}

function Low({ left, pace }: { left: number; pace: string | null }) {
  return (
    <span className="block">
      {/* The pace comes after the credits: its line is kept free, so that nothing moves. */}
      <span role="status" className={cx('block text-bad', left > 0 && 'min-h-[2lh]')}>
        {left === 0
          ? 'No credits are left. Payments are refused until you buy more.'
          : `Under ${LOW_PERCENT} left${pace ? `, ${pace.slice(0, 1).toLowerCase()}${pace.slice(1)}` : ''}. At 0, payments are refused.`}
      </span>
    </span>
  )
}

type StatProps = {
  name: string
  value: string
  unit?: string
  bad?: boolean
  /** Larger than the figures beside it, on the same line. */
  main?: boolean
  meter?: ReactNode
  children?: ReactNode
  className?: string
}

function Stat({ name, value, unit, bad = false, main = false, meter, children, className }: StatProps) {
  return (
    <div className={cx('grid min-w-0 grid-cols-[auto_minmax(0,1fr)] content-start items-baseline gap-x-2 gap-y-1.5', className)}>
      <dt className="col-span-full text-sm text-soft">{name}</dt>
      <dd className={cx('font-semibold tracking-tight tabular-nums', main ? 'text-3xl/8' : 'text-2xl/8', bad && 'text-bad')}>
        {value}
      </dd>
      {unit ? <dd className="text-soft">{unit}</dd> : null}
      {meter ? <dd className="col-span-full py-0.5">{meter}</dd> : null}
      {children ? <dd className="col-span-full text-sm text-soft">{children}</dd> : null}
    </div>
  )
}

function LastPurchase({ createdAt, network, amount, credits, txHash }: NonNullable<AgentBalance['lastPurchase']>) {
  return (
    <Stat name="Last purchase" value={count(credits)} unit={credits === 1 ? 'credit' : 'credits'}>
      <span className="block">
        {moneyOn(network, usdc(amount))} on {networkTitle(network)}
      </span>
      <span className="flex flex-wrap gap-x-2">
        <Time at={createdAt} />
        <ExplorerLink network={network} transaction={txHash} />
      </span>
    </Stat>
  )
}

/** A wallet that bought, but none in this environment. */
function NoCredits({ balance: { environment, accounts }, onBuy }: Props) {
  const here = environmentTitles[environment]
  const other = environmentTitles[environment === 'mainnet' ? 'testnet' : 'mainnet']
  return (
    <Panel>
      <Empty
        title={`No ${here} credits`}
        action={
          <Button look="primary" onClick={onBuy}>
            <Plus aria-hidden className="size-4" /> Buy credits
          </Button>
        }
      >
        {accounts.length > 0
          ? `Your ${other} credits settle ${other} payments only.`
          : 'If you just paid, the credits come when the payment lands.'}{' '}
        {CREDIT_PRICE_TEXT}.
      </Empty>
    </Panel>
  )
}
