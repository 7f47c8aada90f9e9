'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import Link from 'next/link'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { type ReactNode, useRef, useState } from 'react'
import { isEvmNetwork, mainAsset, type NetworkId, networkRow, networksIn } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { sessionQuery } from '../../client/queries'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { stepTitles, useFirstSteps } from '../../client/use-first-steps'
import { keyNetworksFor, useSignedWallet } from '../../client/use-signed-wallet'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { later } from '../../ui/later'
import { Empty, Panel, Skeleton } from '../../ui/panel'
import type { StepState } from '../../ui/step-mark'
import { FirstPayment } from './first-payment'
import { KeyStep, type KnownKey } from './key-step'
import { NextSteps } from './next-steps'
import { ServerStep } from './server-step'
import { StartStep } from './start-step'

// Only merchants who test a payment need its engine and wallets.
const TestPayment = later(() => import('./test-payment').then((loaded) => loaded.TestPayment), <Skeleton className="m-4 h-64" />)

const STEPS = ['key', 'server', 'payment'] as const
type Flags = Record<(typeof STEPS)[number], boolean>

const NEW_KEY = { name: 'Quick start' }

/** Leads to the first settlement: a key, a program that uses it, and a payment. Steps that were finished before are collapsed. */
export function QuickStart() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const session = useQuery(sessionQuery(trpc))
  const { environment } = useEnvironment()
  const { done, keys, error, retry } = useFirstSteps()
  const [linked] = useQueryState('step', parseAsStringLiteral(STEPS))
  const [known, setKnown] = useState<KnownKey | null>(null)
  const [before, setBefore] = useState<Flags | null>(null)
  const [opened, setOpened] = useState<Partial<Flags>>({})
  const [written, setPayTo] = useState({ evm: '', svm: '' })
  const [asked, setAsked] = useState(false)
  // One click sends one payment, however often the step mounts.
  const ask = useRef(false)
  const wallet = useSignedWallet()
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
  const usable = keyNetworksFor(wallet)
  const offered = environment ? networksIn(environment).filter((id) => usable.includes(id)) : []
  const network = offered.find((id) => id === chosen) ?? offered[0]
  if (error) return <Frame count={null}>{<Problem error={error} retry={retry} />}</Frame>
  if (environment && !network) return <Frame count={null}>{<NoTestNetwork />}</Frame>
  if (!finished || !before || !network) return <Loading />

  const { family } = networkRow(network)
  const payTo = wallet === null ? written : { evm: wallet, svm: wallet }
  const baseUrl = session.data?.baseUrl ?? ''
  const close = () => setOpened({ ...opened, key: false })
  function askForTest() {
    ask.current = true
    setAsked(true)
    setOpened({ ...opened, payment: true })
  }
  function takeAsk() {
    const taken = ask.current
    ask.current = false
    return taken
  }
  const allDone = STEPS.every((name) => before[name])
  const next = STEPS.find((name) => !finished[name])
  const merchantUrl = session.data?.playgroundUrl ?? null
  // Without a key the first step offers the test payment, unless the reader came for the last one.
  const faucet = network === 'eip155:84532' ? merchantUrl : null
  const offersTest = faucet !== null && !asked && !finished.key && linked !== 'payment'
  const step = (name: keyof Flags) => ({
    id: name,
    number: STEPS.indexOf(name) + 1,
    title: stepTitles[name],
    state: stateOf(finished[name], name === next),
    linked: linked === name || (name === 'payment' && asked),
    open: opened[name] ?? (linked === name || !before[name]),
    onToggle: (open: boolean) => setOpened({ ...opened, [name]: open }),
  })
  return (
    <Frame count={STEPS.filter((name) => finished[name]).length}>
      {allDone && environment ? <NextSteps baseUrl={baseUrl} environment={environment} keys={keys ?? []} /> : null}
      <ol aria-label="Steps" className={allDone ? 'divide-y panel' : 'grid gap-4 *:panel'}>
        <StartStep {...step('key')} summary={summaryOf(known, keys?.length ?? 0)}>
          <KeyStep
            known={known}
            hadKeys={before.key}
            isNext={next === 'key' && linked !== 'payment'}
            baseUrl={baseUrl}
            error={create.error}
            creating={create.isPending}
            onCreate={() => create.mutate(NEW_KEY, { onSuccess: close })}
            onTest={offersTest ? askForTest : null}
            onPaste={(key) => {
              setKnown(key)
              close()
            }}
          />
        </StartStep>
        <StartStep {...step('server')} summary="Your server takes payments.">
          <ServerStep
            url={known?.url ?? `${baseUrl}/v1/<API_KEY>`}
            keyNote={keyNoteOf(known, keys?.length ?? 0)}
            payTo={payTo[family]}
            network={network}
            offered={offered}
            onPayTo={wallet === null ? (address) => setPayTo({ ...written, [family]: address }) : null}
            onNetwork={setChosen}
          />
        </StartStep>
        <StartStep {...step('payment')} summary="Payments settle with your keys.">
          {offersTest ? (
            <p className="px-4 pt-4 text-soft">
              Send a test payment in step 1, or pay with <a href="/docs/quickstart">any x402 client</a>.
            </p>
          ) : isEvmNetwork(network) && mainAsset(network).method === 'eip3009' ? (
            <TestPayment
              key={network}
              isNext={finished.key || linked === 'payment'}
              takeAsk={takeAsk}
              facilitatorUrl={known?.url ?? null}
              createKey={async () => (await create.mutateAsync(NEW_KEY)).url}
              payTo={payTo.evm}
              network={network}
              faucet={faucet}
              merchantUrl={merchantUrl}
              walletConnectProjectId={session.data?.walletConnectProjectId ?? null}
            />
          ) : (
            <div className="border-b p-4">
              <p className="max-w-prose text-soft">
                This page cannot pay on {networkRow(network).title}. Start your server and pay its route with{' '}
                <a href="/docs/quickstart">an x402 client</a>.
              </p>
            </div>
          )}
          <FirstPayment isReady={finished.key} />
        </StartStep>
      </ol>
    </Frame>
  )
}

/** Keys do not serve Solana devnet. */
function NoTestNetwork() {
  return (
    <Panel>
      <Empty
        title="Keys of a Solana wallet work in Live only"
        action={
          <Link href="/dashboard/start?environment=mainnet" className={buttonClass({ look: 'primary' })}>
            Switch to Live
          </Link>
        }
      >
        To test on Solana devnet, use the <a href="/docs/networks">sandbox</a>: it needs no key.
      </Empty>
    </Panel>
  )
}

const stateOf = (isDone: boolean, isNext: boolean): StepState => (isDone ? 'done' : isNext ? 'next' : 'later')

function summaryOf(known: KnownKey | null, count: number): string {
  if (known?.isNew) return "Your key is in the programs below. You won't see it again: copy one now."
  if (known) return 'Your key is in the programs below.'
  return keysText(count)
}

/** Which key the program of the server uses. The service knows only hashes, so it cannot fill in an old key. */
function keyNoteOf(known: KnownKey | null, count: number): ReactNode {
  if (known) return known.isNew ? `The program uses your new key, named ${NEW_KEY.name}.` : 'The program uses the key you pasted.'
  const place = <code>&lt;API_KEY&gt;</code>
  if (count === 0) return <>Create a key in step 1: it replaces {place}.</>
  return (
    <>
      Replace {place} with {count === 1 ? 'your key' : `one of your ${count} keys`}.
    </>
  )
}

const keysText = (count: number): string => (count === 1 ? 'You have 1 key.' : `You have ${count} keys.`)

function Frame({ count, children }: { count: number | null; children: ReactNode }) {
  const isDone = count === STEPS.length
  return (
    <>
      <ScreenHead title="Quick start">
        {count === null ? null : (
          <span className={cx('flex items-center gap-1 text-sm tabular-nums', isDone ? 'text-accent' : 'text-soft')}>
            {isDone ? <Check aria-hidden className="size-4" /> : null}
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
