'use client'

import * as Tabs from '@radix-ui/react-tabs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, LoaderCircle } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useState } from 'react'
import type { Sale } from '@/app/docs/programs/merchants'
import { type EvmNetworkId, networks } from '@/server/x402/networks'
import { CopyButton } from '../copy-button'
import { useTRPC } from '../data/trpc'
import { ScreenHead } from '../shell/shell'
import { Button, buttonClass } from '../ui/button'
import { cx } from '../ui/class-names'
import { Choice, TextField } from '../ui/fields'
import { Panel, Problem } from '../ui/panel'
import { Time } from '../ui/time'
import { programs } from './programs'
import type { Secret } from './secret-dialog'

// Only merchants who test a payment need its engine and wallets.
const TestPayment = dynamic(() => import('./test-payment').then((loaded) => loaded.TestPayment), { ssr: false })

const NETWORKS = ['eip155:84532', 'eip155:8453'] as const satisfies EvmNetworkId[]
const OPTIONS = NETWORKS.map((id) => [id, networks[id].testnet ? `${networks[id].title} (test)` : networks[id].title] as const)

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const PLACEHOLDER = '0xYourAddress'

/** Leads to the first settlement: a key, a program that uses it, and a live status. */
export function QuickStart() {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.get.queryOptions())
  const [secret, setSecret] = useState<Secret | null>(null)
  const [payTo, setPayTo] = useState('')
  const [network, setNetwork] = useState<EvmNetworkId>(NETWORKS[0])
  const url = secret?.url ?? `${session.data?.baseUrl ?? ''}/v1/<API_KEY>`
  return (
    <>
      <ScreenHead title="Quick start" />
      <ol className="grid gap-4">
        <li>
          <Panel title="1. Get a key">
            <div className="p-4">
              <KeyStep secret={secret} onCreated={setSecret} />
            </div>
          </Panel>
        </li>
        <li>
          <Panel title="2. Charge for a route">
            <div className="grid gap-4 p-4">
              <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start">
                <TextField
                  label="Your wallet address"
                  value={payTo}
                  onChange={({ target }) => setPayTo(target.value.trim())}
                  placeholder={PLACEHOLDER}
                  error={payTo === '' || ADDRESS.test(payTo) ? undefined : 'Enter an Ethereum address: 0x and 40 hex digits.'}
                  hint="Payments go straight to it. We never hold your money."
                />
                <div className="grid gap-1.5">
                  <span aria-hidden className="text-[0.8125rem] font-medium">
                    Network
                  </span>
                  <Choice
                    label="Network"
                    value={network}
                    options={OPTIONS}
                    onChange={({ target }) => setNetwork(NETWORKS.find((id) => id === target.value) ?? NETWORKS[0])}
                    className="min-h-10"
                  />
                </div>
              </div>
              <Programs url={url} payTo={payTo || PLACEHOLDER} network={network} />
              <p className="m-0 text-[0.8125rem] text-soft">
                Your programs can read settlements from <code>/api/me</code>: <a href="/docs/merchants">see how</a>.
              </p>
            </div>
          </Panel>
        </li>
        <li>
          <Panel title="3. Get your first payment">
            <TestPayment
              facilitatorUrl={secret?.url ?? null}
              payTo={payTo}
              network={network}
              merchantUrl={session.data?.playgroundUrl ?? null}
              walletConnectProjectId={session.data?.walletConnectProjectId ?? null}
            />
            <FirstPayment isReady={secret !== null} />
          </Panel>
        </li>
      </ol>
    </>
  )
}

function KeyStep({ secret, onCreated }: { secret: Secret | null; onCreated: (secret: Secret) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      onSuccess: ({ secret, url }) => {
        void queries.invalidateQueries(trpc.keys.list.pathFilter())
        onCreated({ secret, url })
      },
    }),
  )
  if (secret) {
    return (
      <p className="m-0 flex items-center gap-2 text-accent">
        <Check aria-hidden className="size-4" /> Your key is in the programs below. You won’t see it again: copy one now.
      </p>
    )
  }
  return (
    <div className="grid gap-3">
      {create.error ? <Problem error={create.error} /> : null}
      <p className="m-0 text-soft">
        A key is part of the facilitator URL. Create one here, or replace <code>&lt;API_KEY&gt;</code> with a key you have.
      </p>
      <div>
        <Button look="primary" disabled={create.isPending} onClick={() => create.mutate({ name: 'Quick start' })}>
          Create a key and fill it in
        </Button>
      </div>
    </div>
  )
}

function Programs(sale: Sale) {
  return (
    <Tabs.Root defaultValue="Express" className="grid min-w-0 gap-3">
      <Tabs.List aria-label="Programs" className="flex flex-wrap gap-1">
        {programs.map(({ name }) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className="rounded-lg px-3 py-1.5 whitespace-nowrap text-soft hover:bg-code data-[state=active]:bg-wash data-[state=active]:font-medium data-[state=active]:text-accent"
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {programs.map(({ name, text }) => (
        <Tabs.Content key={name} value={name} className="min-w-0 rounded-lg border border-solid border-line">
          <div className="flex items-center justify-between gap-2 px-4 py-2">
            <span className="text-[0.8125rem] text-soft">{name}</span>
            <CopyButton text={text(sale)} />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
          <pre tabIndex={0} className="m-0 overflow-x-auto rounded-b-lg bg-code p-4 text-[0.8125rem] leading-relaxed">
            <code>{text(sale)}</code>
          </pre>
        </Tabs.Content>
      ))}
    </Tabs.Root>
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
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center justify-between gap-3 rounded-b-xl p-4 transition-colors ${arrived ? 'bg-wash' : ''}`}
    >
      <span className="flex items-center gap-2.5">
        {arrived ? (
          <Check aria-hidden className="size-5 text-accent" />
        ) : (
          <LoaderCircle aria-hidden className={cx('size-5 text-soft', isReady && 'motion-safe:animate-spin')} />
        )}
        {arrived ? (
          'Payment received. Your API gets paid.'
        ) : (
          <span>
            {newest ? 'Waiting for a new settlement.' : 'Waiting for your first settlement.'} This page updates by itself.
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
