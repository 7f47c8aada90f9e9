import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { USDC } from '@/server/x402/networks/assets'
import { networkTitle } from '@/server/x402/networks/networks'
import { headlineText } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { Panel, Skeleton } from '../../ui/panel'
import { coinAmount, coinPricesText, dollarText } from './coin'

type Sums = inferRouterOutputs<Root>['admin']['money']

const AMOUNT = <Skeleton className="h-5 w-24" />
const OF_CREDITS = 'Net of refunds'

/** What a period cost in gas, and what credits brought in. */
export function GasAndRevenue({ money }: { money: Sums | undefined }) {
  return (
    <Panel title="Gas and revenue">
      <dl>
        <GasLines gas={money?.gas} />
        {money ? (
          <Sold sold={money.sold} />
        ) : (
          <MoneyLine name="Credits sold to agents" note={OF_CREDITS}>
            {AMOUNT}
          </MoneyLine>
        )}
      </dl>
      <p className="px-4 py-3 text-sm text-soft">
        Gas is what the signers paid, by UTC day. Revenue is credits only; plans are billed elsewhere.
      </p>
    </Panel>
  )
}

/** What each network cost in gas. */
export function GasLines({ gas }: { gas: Sums['gas'] | undefined }) {
  if (!gas) return <MoneyLine name="Gas spent">{AMOUNT}</MoneyLine>
  if (gas.length === 0) return <MoneyLine name="Gas spent">None</MoneyLine>
  return gas.map((row) => (
    <MoneyLine key={row.network} name={`Gas on ${networkTitle(row.network)}`}>
      <GasAmount {...row} />
    </MoneyLine>
  ))
}

/** Gas in the coin of its network, and in dollars where the coin has a price. */
function GasAmount({ network, spent, usd }: Sums['gas'][number]) {
  const { shown, exact } = coinAmount(network, spent)
  return (
    <>
      <Hint text={exact}>{shown}</Hint>
      {usd === null ? null : (
        <span className="font-normal text-soft">
          {' · '}
          <Hint text={coinPricesText([network]) ?? ''}>{dollarText(usd)}</Hint>
        </span>
      )}
    </>
  )
}

function Sold({ sold }: Pick<Sums, 'sold'>) {
  const note = sold ? `${BigInt(sold.credits).toLocaleString('en')} credits, net of refunds` : OF_CREDITS
  return (
    <MoneyLine name="Credits sold to agents" note={note}>
      {sold ? headlineText(sold.paid, USDC) : 'Not counted by tenant'}
    </MoneyLine>
  )
}

function MoneyLine({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 border-b px-4 py-2.5">
      <dt>{name}</dt>
      <dd className="text-right font-medium whitespace-nowrap tabular-nums">{children}</dd>
      {note ? <dd className="col-span-2 text-sm text-soft">{note}</dd> : null}
    </div>
  )
}
