import { explorerName, transactionUrl } from '@/server/x402/explorers'
import { environmentTitles } from '../data/environment'
import { titleOf } from '../settlements/explorer'
import { cx } from '../ui/class-names'
import { usdc } from '../ui/figures'
import { Meter } from '../ui/meter'
import { Panel } from '../ui/panel'
import { Time } from '../ui/time'
import { CreditsOverTime } from './credits-over-time'
import type { AgentBalance } from './use-balance'

const count = (of: number) => of.toLocaleString('en')

/** A wallet's credits: left, used over time, bought, and the last purchase. */
export function Credits({ balance: { credits, environment, lastPurchase, historyEnabled } }: { balance: AgentBalance }) {
  const { left, purchased, verificationsLeft, verificationsUsed } = credits
  const low = purchased > 0 && left * LOW_SHARE < purchased
  return (
    <Panel title="Credits">
      <div className="grid gap-x-10 gap-y-5 p-4 lg:grid-cols-2">
        <div className="grid content-start gap-2">
          <dl>
            <div className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-2">
              <dt className="col-span-2 text-[0.8125rem] text-soft">Credits left</dt>
              <dd className={cx('text-3xl leading-tight font-semibold tracking-tight tabular-nums', low && 'text-bad')}>
                {count(left)}
              </dd>
              <dd className="text-soft">
                of {count(purchased)} {purchased === 1 ? 'credit' : 'credits'}
              </dd>
            </div>
          </dl>
          <Meter label="Credits left" value={left} limit={purchased} alarming={low} className="h-2.5" />
          {low ? (
            <p role="status" className="m-0 text-[0.8125rem] text-bad">
              {left === 0
                ? 'No credits are left. Settles are refused until you buy more.'
                : `Only ${count(left)} ${left === 1 ? 'credit is' : 'credits are'} left. At 0, settles are refused. Buy more in time.`}
            </p>
          ) : (
            <p className="m-0 text-[0.8125rem] text-soft">
              {purchased === 0 ? `No ${environmentTitles[environment]} credits bought yet.` : '1 credit settles 1 payment.'}
            </p>
          )}
        </div>
        <dl className="grid content-start gap-x-6 gap-y-3 text-[0.8125rem] sm:grid-cols-2">
          <div className="grid content-start">
            <dt className="text-soft">Verifications left</dt>
            <dd className="text-[0.9375rem] font-medium tabular-nums">{count(verificationsLeft)}</dd>
            <dd className="text-soft">{count(verificationsUsed)} used; 5 per credit</dd>
          </div>
          <div className="grid content-start">
            <dt className="text-soft">Last purchase</dt>
            <dd>{lastPurchase ? <LastPurchase {...lastPurchase} /> : 'None'}</dd>
          </div>
        </dl>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-0 border-t border-solid border-line p-4">
        <h3 className="m-0 text-[0.8125rem] font-normal text-soft">Used in 30 days</h3>
        <CreditsOverTime environment={environment} left={left} keepsHistory={historyEnabled} />
      </div>
    </Panel>
  )
}

// Below a tenth of what was bought.
const LOW_SHARE = 10

function LastPurchase({ createdAt, network, amount, credits, txHash }: NonNullable<AgentBalance['lastPurchase']>) {
  const url = transactionUrl(network, txHash)
  return (
    <>
      {count(credits)} credits for {usdc(amount)} USDC on {titleOf(network)}, <Time at={createdAt} />
      {url ? (
        <>
          {' '}
          <a href={url} target="_blank" rel="noreferrer">
            View on {explorerName(network)}
          </a>
        </>
      ) : null}
    </>
  )
}
