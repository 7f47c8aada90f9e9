'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Bot, Check, Plus } from 'lucide-react'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { type ReactNode, useState } from 'react'
import { CREDITS_MIN, PURCHASE_PATH } from '@/server/accounts/credit-price'
import { CREDIT_PRICE_TEXT } from '@/server/accounts/credit-texts'
import { useMinute } from '../../client/clock'
import { moneyOn, priceOf } from '../../client/credit-price-text'
import { Problem } from '../../client/problem'
import { sessionQuery } from '../../client/queries'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { Button } from '../../ui/button'
import { CopyLine } from '../../ui/copy-line'
import { Copyable } from '../../ui/copyable'
import { Example } from '../../ui/example'
import { ExplorerLink } from '../../ui/explorer-link'
import { later } from '../../ui/later'
import { notice } from '../../ui/notice'
import { Empty, Panel, Skeleton } from '../../ui/panel'
import type { Secret } from '../../ui/secret-dialog'
import { AgentKeys } from './agent-keys'
import { BurnDownChart } from './burn-down-chart'
import { Credits } from './credits'
import { exampleHistory } from './example'
import type { Purchased } from './purchase'
import { useBalance } from './use-balance'

// Below the credits and the keys.
const AgentSettings = later(
  () => import('./agent-settings').then((loaded) => loaded.AgentSettings),
  <Skeleton className="h-64" />,
)
const UseKey = later(() => import('./use-key').then((loaded) => loaded.UseKey), <Skeleton className="h-64" />)
// Loaded when first opened.
const TopUp = later(() => import('./top-up').then((loaded) => loaded.TopUp))
const SecretDialog = later(() => import('../../ui/secret-dialog').then((loaded) => loaded.SecretDialog))

/** A wallet's agent: credits, keys and settings. */
export function Agent() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const session = useQuery(sessionQuery(trpc))
  const { query, balance, environment } = useBalance()
  const [buying, setBuying] = useQueryState('buy', parseAsBoolean.withDefault(false))
  const [shown, setShown] = useState<{ secret: Secret; receipt: Purchased | null } | null>(null)
  const who = session.data?.who
  const known = balance && (balance.hasBought || balance.accounts.length > 0)
  function bought(receipt: Purchased) {
    void queries.invalidateQueries(trpc.agent.balance.pathFilter())
    void queries.invalidateQueries(trpc.activity.creditsOfAgent.pathFilter())
    void setBuying(null)
    const { api_key: secret, endpoint: url } = receipt
    if (secret && url) setShown({ secret: { secret, url }, receipt })
    else notice.success(boughtText(receipt))
  }
  const buy = (
    <Button look="primary" onClick={() => void setBuying(true)}>
      <Plus aria-hidden className="size-4" /> Buy credits
    </Button>
  )
  return (
    <>
      <ScreenHead title="Agent">{known && balance.credits.purchased > 0 ? buy : null}</ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} whole={!balance} /> : null}
      {query.isPending ? <Skeleton className="h-96" /> : null}
      {balance && !known ? <Introduction action={buy} baseUrl={session.data?.baseUrl ?? ''} /> : null}
      {balance && known ? (
        <div className="grid gap-4">
          <Credits balance={balance} onBuy={() => void setBuying(true)} />
          <AgentKeys balance={balance} onSecret={(secret) => setShown({ secret, receipt: null })} />
          <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
            <AgentSettings balance={balance} />
            <UseKey baseUrl={session.data?.baseUrl ?? ''} />
          </div>
        </div>
      ) : null}
      {buying && who && environment && balance ? (
        <TopUp
          address={who.name}
          environment={environment}
          balance={balance}
          onClose={() => void setBuying(null)}
          onBought={bought}
        />
      ) : null}
      {shown ? (
        <SecretDialog secret={shown.secret} onClose={() => setShown(null)} description={ONCE}>
          <CopyLine name="Command to check it" text={`curl ${shown.secret.url}/supported`} />
          {shown.receipt ? <Receipt {...shown.receipt} /> : null}
        </SecretDialog>
      ) : null}
    </>
  )
}

const ONCE = 'Anyone who has it can spend your credits.'

/** The end of a purchase: what it bought, and its transaction. */
function Receipt(purchased: Purchased) {
  const { network, transaction } = purchased
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 rounded-lg bg-wash px-3 py-2">
      <Check aria-hidden className="size-4 text-accent" />
      {boughtText(purchased)}
      <ExplorerLink network={network} transaction={transaction} />
    </p>
  )
}

function boughtText({ status, credits_added, network }: Purchased): string {
  const count = credits_added.toLocaleString('en')
  const price = moneyOn(network, priceOf(credits_added))
  return status === 'paid' ? `${count} credits bought for ${price}.` : `${count} credits come when the payment of ${price} lands.`
}

/** Explains credits to a wallet without any. */
function Introduction({ action, baseUrl }: { action: ReactNode; baseUrl: string }) {
  const history = exampleHistory(useMinute())
  return (
    <>
      <Panel>
        <Empty title="Let your agent take payments without a merchant account" level={2} icon={Bot} action={action}>
          One credit settles one payment. {CREDIT_PRICE_TEXT}. Buy {CREDITS_MIN} or more.
        </Empty>
        <dl className="grid border-t max-sm:divide-y sm:grid-cols-2 sm:divide-x">
          <WayToBuy name="Buy from code" link={<a href="/docs/api/agents">API reference</a>}>
            <Copyable text={`${baseUrl}${PURCHASE_PATH}`} shown={`POST ${PURCHASE_PATH}`} label="URL" />
          </WayToBuy>
          <WayToBuy name="Let an agent buy" link={<a href="/llms.txt">/llms.txt</a>}>
            One file says how to buy, call and check the balance.
          </WayToBuy>
        </dl>
      </Panel>
      <div className="mt-4">
        <Example note="Your credits will look like this." whole>
          <div className="px-4 py-3">
            <p className="text-lg font-semibold tracking-tight tabular-nums">
              {history.left} <span className="text-sm font-normal tracking-normal text-soft">credits left</span>
            </p>
            <BurnDownChart history={history} keepsHistory />
          </div>
        </Example>
      </div>
    </>
  )
}

function WayToBuy({ name, link, children }: { name: string; link: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 p-4">
      <dt className="font-medium">{name}</dt>
      <dd className="text-sm">{link}</dd>
      <dd className="col-span-full text-sm leading-6 text-soft">{children}</dd>
    </div>
  )
}
