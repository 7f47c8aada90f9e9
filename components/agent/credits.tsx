import { CREDIT_PRICE } from '@/server/accounts/plans'
import { explorerName, transactionUrl } from '@/server/x402/explorers'
import { environmentTitles } from '../data/environment'
import { titleOf } from '../settlements/explorer'
import { Figure, usdc } from '../ui/figures'
import { Panel } from '../ui/panel'
import { Time } from '../ui/time'
import { CreditsOverTime } from './credits-over-time'
import type { AgentBalance } from './use-balance'

const count = (of: number) => of.toLocaleString('en')

/** A wallet's credits: left, used, bought, and the last purchase. */
export function Credits({ balance: { credits, environment, lastPurchase, historyEnabled } }: { balance: AgentBalance }) {
  const bought = usdc(String(BigInt(credits.purchased) * CREDIT_PRICE))
  return (
    <div className="grid gap-3">
      {credits.purchased > 0 && credits.left * LOW_SHARE < credits.purchased ? <LowCredits left={credits.left} /> : null}
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure
          label="Credits left"
          value={count(credits.left)}
          hint={credits.left === 0 ? 'Buy credits to settle again' : '1 credit settles 1 payment'}
        />
        <Figure label="Used" value={count(credits.used)} hint="Settlements sent" />
        <Figure label="Bought" value={count(credits.purchased)} hint={`For ${bought} USDC`} />
        <Figure
          label="Verifications left"
          value={count(credits.verificationsLeft)}
          hint={`${count(credits.verificationsUsed)} used; 5 per credit`}
        />
      </dl>
      <Panel>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
          <CreditsOverTime environment={environment} left={credits.left} keepsHistory={historyEnabled} />
          <p className="m-0 text-[0.8125rem] text-soft">
            {lastPurchase ? <LastPurchase {...lastPurchase} /> : `No ${environmentTitles[environment]} credits bought yet.`}
          </p>
        </div>
      </Panel>
    </div>
  )
}

// Below a tenth of what was bought.
const LOW_SHARE = 10

function LowCredits({ left }: { left: number }) {
  return (
    <p role="status" className="m-0 rounded-lg bg-bad-wash px-4 py-3 text-bad">
      {left === 0
        ? 'No credits are left. Settles are refused until you buy more.'
        : `Only ${count(left)} ${left === 1 ? 'credit is' : 'credits are'} left. At 0, settles are refused. Buy more in time.`}
    </p>
  )
}

function LastPurchase({ createdAt, network, amount, credits, txHash }: NonNullable<AgentBalance['lastPurchase']>) {
  const url = transactionUrl(network, txHash)
  return (
    <>
      Last purchase: {count(credits)} credits for {usdc(amount)} USDC on {titleOf(network)}, <Time at={createdAt} />
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
