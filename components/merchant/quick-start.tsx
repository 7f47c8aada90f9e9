'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Compass, KeyRound, LoaderCircle, Webhook } from 'lucide-react'
import Link from 'next/link'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { type ReactNode, useState } from 'react'
import { isEvmNetwork, type NetworkId, networks, networksIn, prefixNetworks } from '@/server/x402/networks'
import { useEnvironment } from '../data/environment'
import { useTRPC } from '../data/trpc'
import { ScreenHead } from '../shell/shell'
import { buttonClass } from '../ui/button'
import { later } from '../ui/later'
import { Problem, Skeleton } from '../ui/panel'
import { Time } from '../ui/time'
import { KeyStep, type KnownKey } from './key-step'
import { ServerStep } from './server-step'
import { StartStep, type StepState } from './start-step'
import { stepTitles, useFirstSteps } from './use-first-steps'

// Only merchants who test a payment need its engine and wallets.
const TestPayment = later(() => import('./test-payment').then((loaded) => loaded.TestPayment), <Skeleton className="m-4 h-64" />)

const STEPS = ['key', 'server', 'payment'] as const
type Flags = Record<(typeof STEPS)[number], boolean>

const NEW_KEY = { name: 'Quick start' }

/** Leads to the first settlement: a key, a program that uses it, and a payment. Steps that were finished before are collapsed. */
export function QuickStart() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const session = useQuery(trpc.session.get.queryOptions(undefined, { staleTime: 60_000 }))
  const { environment } = useEnvironment()
  const { done, keys, error, retry } = useFirstSteps()
  const [linked] = useQueryState('step', parseAsStringLiteral(STEPS))
  const [known, setKnown] = useState<KnownKey | null>(null)
  const [before, setBefore] = useState<Flags | null>(null)
  const [opened, setOpened] = useState<Partial<Flags>>({})
  const [payTo, setPayTo] = useState({ evm: '', svm: '' })
  const [chosen, setChosen] = useState<NetworkId | null>(null)
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      onSuccess({ url }) {
        void queries.invalidateQueries(trpc.keys.list.pathFilter())
        setKnown({ url, isNew: true })
      },
    }),
  )
  const finished: Flags | null = done && { ...done, key: known !== null || done.key }
  // Steps that end while the page is open stay open, so that nothing moves.
  if (finished && !before) setBefore(finished)
  const offered = environment ? networksIn(environment).filter((id) => prefixNetworks.v1.includes(id)) : []
  const network = offered.find((id) => id === chosen) ?? offered[0]
  if (error) return <Frame count={null}>{<Problem error={error} retry={retry} />}</Frame>
  if (!finished || !before || !network) return <Loading />

  const { family } = networks[network]
  const baseUrl = session.data?.baseUrl ?? ''
  const close = () => setOpened({ ...opened, key: false })
  const next = STEPS.find((name) => !finished[name])
  const step = (name: keyof Flags) => ({
    number: STEPS.indexOf(name) + 1,
    title: stepTitles[name],
    state: stateOf(finished[name], name === next),
    linked: linked === name,
    open: opened[name] ?? (linked === name || !before[name]),
    onToggle: (open: boolean) => setOpened({ ...opened, [name]: open }),
  })
  return (
    <Frame count={STEPS.filter((name) => finished[name]).length}>
      <ol className="grid gap-4">
        <StartStep {...step('key')} summary={summaryOf(known, keys?.length ?? 0)}>
          <KeyStep
            known={known}
            isNext={next === 'key'}
            baseUrl={baseUrl}
            error={create.error}
            creating={create.isPending}
            onCreate={() => create.mutate(NEW_KEY, { onSuccess: close })}
            onPaste={(key) => {
              setKnown(key)
              close()
            }}
          />
        </StartStep>
        <StartStep {...step('server')} summary="Your server takes payments.">
          <ServerStep
            url={known?.url ?? `${baseUrl}/v1/<API_KEY>`}
            payTo={payTo[family]}
            network={network}
            offered={offered}
            onPayTo={(address) => setPayTo({ ...payTo, [family]: address })}
            onNetwork={setChosen}
          />
        </StartStep>
        <StartStep {...step('payment')} summary="Payments settle with your keys.">
          {isEvmNetwork(network) ? (
            <TestPayment
              key={network}
              hasKey={finished.key}
              facilitatorUrl={known?.url ?? null}
              createKey={async () => (await create.mutateAsync(NEW_KEY)).url}
              payTo={payTo.evm}
              network={network}
              merchantUrl={session.data?.playgroundUrl ?? null}
              walletConnectProjectId={session.data?.walletConnectProjectId ?? null}
            />
          ) : (
            <p className="m-0 max-w-prose border-0 border-b border-solid border-line p-4 text-soft">
              This page pays on Base only. Start your server and pay its route with <a href="/docs/quickstart">an x402 client</a>.
            </p>
          )}
          <FirstPayment isReady={finished.key} />
        </StartStep>
      </ol>
      {STEPS.every((name) => before[name]) ? <NextSteps /> : null}
    </Frame>
  )
}

const stateOf = (isDone: boolean, isNext: boolean): StepState => (isDone ? 'done' : isNext ? 'next' : 'later')

const NEXT = [
  ['/dashboard/webhooks', 'Webhooks', 'Your server learns the outcome of each payment in a signed message.', Webhook],
  ['/dashboard/listings', 'Listings', 'Agents find your routes in the catalog. Here you see and hide them.', Compass],
  ['/dashboard/keys', 'Limits', 'A key can allow only some networks, recipients and amounts.', KeyRound],
] as const

/** Where to go once all steps are done. */
function NextSteps() {
  return (
    <nav aria-label="What next" className="mt-6">
      <h2 className="mt-0 mb-3 text-[0.8125rem] font-medium text-soft">What next</h2>
      <ul className="grid gap-3 md:grid-cols-3">
        {NEXT.map(([href, title, about, Icon]) => (
          <li key={href}>
            <Link
              href={href}
              className="grid h-full content-start gap-1 rounded-xl border border-solid border-line bg-card p-4 text-ink no-underline hover:border-accent"
            >
              <Icon aria-hidden className="mb-1 size-5 text-accent" />
              <span className="font-medium">{title}</span>
              <span className="text-[0.8125rem] text-soft">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function summaryOf(known: KnownKey | null, count: number): string {
  if (known?.isNew) return 'Your key is in the programs below. You won’t see it again: copy one now.'
  if (known) return 'Your key is in the programs below.'
  return count === 1 ? 'You have 1 key.' : `You have ${count} keys.`
}

function Frame({ count, children }: { count: number | null; children: ReactNode }) {
  return (
    <>
      <ScreenHead title="Quick start">
        {count === null ? null : (
          <span className="text-[0.8125rem] text-soft tabular-nums">
            {count} of {STEPS.length} done
          </span>
        )}
      </ScreenHead>
      {children}
    </>
  )
}

function Loading() {
  return (
    <Frame count={null}>
      <div className="grid gap-4">
        {STEPS.map((name) => (
          <Skeleton key={name} className="h-48 rounded-xl" />
        ))}
      </div>
    </Frame>
  )
}

const LOOK_MS = 2_000

/** Waits for a payment that comes while this page is open: earlier ones prove nothing about this setup. */
function FirstPayment({ isReady }: { isReady: boolean }) {
  const trpc = useTRPC()
  const [before, setBefore] = useState<string | null>()
  const query = useQuery(
    trpc.settlements.list.queryOptions(
      { reader: 'merchant', status: 'success', limit: 1 },
      { refetchInterval: ({ state }) => (isNew(state.data?.settlements[0]?.id, before) ? false : LOOK_MS) },
    ),
  )
  const newest = query.data?.settlements[0]
  if (before === undefined && query.data) setBefore(newest?.id ?? null)
  const arrived = newest && isNew(newest.id, before) ? newest : null
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  const waiting = newest
    ? 'Waiting for a new settlement.'
    : isReady
      ? 'Waiting for your first settlement.'
      : 'Your first settlement appears here.'
  return (
    <div
      role="status"
      className={`flex min-h-16 flex-wrap items-center justify-between gap-3 rounded-b-xl px-4 py-3 transition-colors ${arrived ? 'bg-wash' : ''}`}
    >
      <span className="flex items-center gap-2.5">
        {arrived ? (
          <Check aria-hidden className="size-5 text-accent" />
        ) : isReady ? (
          <LoaderCircle aria-hidden className="size-5 text-soft motion-safe:animate-spin" />
        ) : (
          <span aria-hidden className="m-1.5 size-2 rounded-full bg-line" />
        )}
        {arrived ? (
          'Payment received. Your API gets paid.'
        ) : (
          <span>
            {waiting} This page updates by itself.
            {newest ? (
              <>
                {' '}
                The last one came <Time at={newest.createdAt} />.
              </>
            ) : null}
          </span>
        )}
      </span>
      {arrived ? (
        <Link href={`/dashboard/settlements?id=${arrived.id}`} className={buttonClass({ look: 'primary', size: 'small' })}>
          View payment
        </Link>
      ) : null}
    </div>
  )
}

const isNew = (id: string | undefined, before: string | null | undefined) =>
  id !== undefined && before !== undefined && id !== before
