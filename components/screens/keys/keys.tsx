'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { type ReactNode, useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import type { Root } from '@/server/trpc/router'
import type { Environment } from '@/server/x402/networks/networks'
import { AddButton } from '../../client/add-button'
import { useMinute } from '../../client/clock'
import { environmentTitles } from '../../client/environment'
import type { OwnKey } from '../../client/own-key'
import { Problem } from '../../client/problem'
import { keysQuery } from '../../client/queries'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { useSignedWallet, worksInTest } from '../../client/use-signed-wallet'
import { cx } from '../../ui/class-names'
import { Example } from '../../ui/example'
import { later } from '../../ui/later'
import { ListTitles, LoadingRows } from '../../ui/list'
import { countedText, ListSummary } from '../../ui/list-summary'
import { Empty, Panel } from '../../ui/panel'
import type { Secret } from '../../ui/secret-dialog'
import { exampleKeys } from './example'
import { KEY_ACTIONS, KEY_COLUMNS, KEY_GRID, KeyFacts, KeyRow } from './key-row'
import { keyActivityQuery } from './queries'

// Loaded when first opened.
const NewKey = later(() => import('./new-key').then((loaded) => loaded.NewKey))
const SecretDialog = later(() => import('../../ui/secret-dialog').then((loaded) => loaded.SecretDialog))

const UNUSED = { days: [], lastFailure: null }
const NEXT = { href: '/dashboard/start', text: 'Open quick start' }

/** A merchant's API keys. */
export function Keys() {
  const trpc = useTRPC()
  const query = useQuery(keysQuery(trpc))
  const { environment } = useEnvironment()
  const activity = useQuery({ ...keyActivityQuery(trpc, environment ?? 'mainnet'), enabled: environment !== undefined })
  const where = worksInTest(useSignedWallet()) ? 'for Live and Test' : 'for Live only'
  const [creating, setCreating] = useQueryState('new', parseAsBoolean.withDefault(false))
  const [shown, setShown] = useState<{ secret: Secret; name: string; isNew: boolean } | null>(null)
  const live = query.data?.keys.filter(({ revokedAt }) => revokedAt === null) ?? []
  const revoked = query.data?.keys.filter(({ revokedAt }) => revokedAt !== null) ?? []
  const full = query.data !== undefined && live.length >= query.data.most
  const none = query.data !== undefined && live.length === 0
  const activities = activity.data ?? (activity.error ? null : undefined)
  const most = mostIn(activities ?? [])
  const add = (
    <AddButton
      text="New key"
      onAdd={() => void setCreating(true)}
      full={full ? `You have ${live.length} keys, the maximum. Revoke one before you create another.` : null}
    />
  )
  return (
    <>
      <ScreenHead title="API keys">{none ? null : add}</ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {activity.error && live.length > 0 ? <Problem error={activity.error} retry={activity.refetch} /> : null}
      {none ? <NoKeys add={add} where={where} /> : null}
      {none || query.error ? null : (
        <List
          days={environment ? `Last 14 days, ${environmentTitles[environment]}` : 'Last 14 days'}
          parts={
            query.data
              ? [
                  `${countedText(live.length, 'key')} ${where}`,
                  live.some(({ ownQuota }) => ownQuota) ? null : 'Keys on the same plan share its quota',
                  environment && activities ? totalsOf(live, environment, activities) : null,
                ]
              : null
          }
        >
          {query.data ? (
            live.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                activity={activities && (activities.find(({ id }) => id === key.id) ?? UNUSED)}
                most={most}
                onSecret={(secret) => setShown({ secret, name: key.name, isNew: false })}
              />
            ))
          ) : (
            <LoadingRows count={3} className="h-42.5 md:h-25 xl:h-13" />
          )}
        </List>
      )}
      {revoked.length > 0 ? <Revoked keys={revoked} /> : null}
      {creating ? (
        <NewKey onClose={() => void setCreating(null)} onCreated={(secret, name) => setShown({ secret, name, isNew: true })} />
      ) : null}
      {shown ? (
        <SecretDialog
          secret={shown.secret}
          name={shown.name}
          onClose={() => setShown(null)}
          {...(shown.isNew ? { next: NEXT } : {})}
        />
      ) : null}
    </>
  )
}

type Activities = inferRouterOutputs<Root>['activity']['ofKeys']

const mostIn = (activities: readonly Pick<Activities[number], 'days'>[]): number =>
  Math.max(0, ...activities.flatMap(({ days }) => days.map(({ count }) => count)))

/** What the live keys did in the days that their rows show; null if nothing. */
function totalsOf(live: readonly OwnKey[], environment: Environment, activities: Activities): string | null {
  // A key that was just revoked is in the activities until they refresh.
  const days = activities.filter(({ id }) => live.some((key) => key.id === id)).flatMap((one) => one.days)
  const count = days.reduce((sum, day) => sum + day.count, 0)
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  if (count === 0) return null
  return `14 days of ${environmentTitles[environment]}: ${(count - failed).toLocaleString('en')} settled, ${failed.toLocaleString('en')} failed`
}

/** Rows below the titles of their columns. */
function List({ days, parts, children }: { days: string; parts: (string | null)[] | null; children: ReactNode }) {
  return (
    <>
      {/* A phone breaks it. */}
      <ListSummary parts={parts} className="-mt-2 mb-4 max-sm:min-h-10" />
      <div className="panel">
        <ColumnTitles days={days} />
        <ul>{children}</ul>
      </div>
    </>
  )
}

function ColumnTitles({ days }: { days: string }) {
  return (
    <ListTitles columns={KEY_COLUMNS}>
      <span>Key</span>
      <span>{days}</span>
      <span>Monthly settlements</span>
    </ListTitles>
  )
}

function Revoked({ keys }: { keys: readonly OwnKey[] }) {
  return (
    <details className="mt-4">
      <summary className="inline-flex min-h-10 cursor-pointer items-center text-soft">{keys.length} revoked</summary>
      <ul className="panel text-soft">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap justify-between gap-x-4 border-b px-4 py-2 last:border-b-0">
            <Link href={`/dashboard/keys/${key.id}`} prefetch={false} className="text-soft no-underline hover:text-accent">
              {keyName(key)}
            </Link>
            <code>{key.secrets[0]?.prefix}…</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

function NoKeys({ add, where }: { add: ReactNode; where: string }) {
  const examples = exampleKeys(useMinute())
  const most = mostIn(examples.map(({ activity }) => activity))
  return (
    <>
      <Panel>
        <Empty title="No API keys yet" code={EXAMPLE_URL} action={add}>
          Your server settles payments at a facilitator URL. The key, {where}, is the secret part of it. The{' '}
          <Link href={NEXT.href}>quick start</Link> creates a key and puts it in your code.
        </Empty>
      </Panel>
      <div className="mt-4">
        <Example>
          <ColumnTitles days="Last 14 days" />
          {examples.map((one, at) => (
            <div
              key={one.apiKey.id}
              // One is enough of a phone.
              className={cx(KEY_GRID, KEY_COLUMNS, 'border-b last:border-b-0 max-sm:border-b-0', at > 0 && 'max-sm:hidden')}
            >
              <KeyFacts {...one} most={most} />
              {/* As wide as the actions of a key. */}
              <div className={cx('size-9 max-sm:h-10', KEY_ACTIONS)} />
            </div>
          ))}
        </Example>
      </div>
    </>
  )
}

const EXAMPLE_URL = (
  <>
    https://…/v1/<span className="font-semibold text-accent">qt_••••••••</span>
  </>
)
