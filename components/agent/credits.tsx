import { CREDIT_PRICE } from '@/server/accounts/plans'
import { titleOf, transactionUrl } from '../settlements/explorer'
import { Figure, usdc } from '../ui/figures'
import { Time } from '../ui/time'
import type { AgentBalance } from './use-balance'

const count = (of: number) => of.toLocaleString('en')

/** What is left of a wallet's credits, what became of the others, and the last purchase. */
export function Credits({ balance: { credits, environment, lastPurchase } }: { balance: AgentBalance }) {
  const bought = usdc(String(BigInt(credits.purchased) * CREDIT_PRICE))
  return (
    <div className="grid gap-2">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure
          label="Credits left"
          value={count(credits.left)}
          hint={credits.left === 0 ? 'buy some to settle again' : 'one settles one payment'}
        />
        <Figure label="Used" value={count(credits.used)} hint="payments that were sent" />
        <Figure label="Bought" value={count(credits.purchased)} hint={`for ${bought} USDC`} />
        <Figure
          label="Verifications left"
          value={count(credits.verificationsLeft)}
          hint={`${count(credits.verificationsUsed)} used; 5 come with each credit`}
        />
      </dl>
      <p className="m-0 text-[0.8125rem] text-soft">
        {lastPurchase ? <LastPurchase {...lastPurchase} /> : `No credits were bought on ${environment}s with this wallet yet.`}
      </p>
    </div>
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
          (
          <a href={url} target="_blank" rel="noreferrer">
            transaction
          </a>
          )
        </>
      ) : null}
    </>
  )
}
