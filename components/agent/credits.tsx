import { CREDIT_PRICE } from '@/server/accounts/plans'
import { explorerName, titleOf, transactionUrl } from '../settlements/explorer'
import { Figure, usdc } from '../ui/figures'
import { Time } from '../ui/time'
import type { AgentBalance } from './use-balance'

const count = (of: number) => of.toLocaleString('en')

/** A wallet's credits: left, used, bought, and the last purchase. */
export function Credits({ balance: { credits, environment, lastPurchase } }: { balance: AgentBalance }) {
  const bought = usdc(String(BigInt(credits.purchased) * CREDIT_PRICE))
  return (
    <div className="grid gap-2">
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
      <p className="m-0 text-[0.8125rem] text-soft">
        {lastPurchase ? <LastPurchase {...lastPurchase} /> : `This wallet has bought no credits on ${environment}s yet.`}
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
          <a href={url} target="_blank" rel="noreferrer">
            View on {explorerName(network)}
          </a>
        </>
      ) : null}
    </>
  )
}
