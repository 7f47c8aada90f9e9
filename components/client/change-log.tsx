import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { type Finality, finalities } from '@/server/x402/networks/finality'
import { networkTitle } from '@/server/x402/networks/networks'
import { titled } from '../ui/badge'
import { spanText } from '../ui/dates'
import { usdc } from '../ui/figures'
import { LoadingRows } from '../ui/list'
import { Panel } from '../ui/panel'
import { shortened } from '../ui/shortened'
import { useClock } from './clock'
import { Time } from './time'

/** A change of a key: its fields with their earlier and new values. */
type KeyChange = inferRouterOutputs<Root>['admin']['changes'][number]

type Value = KeyChange['fields'][number]['from']

type Props = {
  /** Newest first; undefined while they load. */
  changes: KeyChange[] | undefined
  /** Who reads: an owner is "you". */
  reader: 'owner' | 'operator'
  /** Undefined while it loads. */
  createdAt: string | undefined
}

/** What changed in a key and its secrets, newest first, with its creation at the end. */
export function ChangeLog({ changes, reader, createdAt }: Props) {
  return (
    <Panel title="Changes">
      <ol className="text-sm">
        {changes && createdAt ? (
          <>
            {changes.map((change) => (
              <Entry key={change.id} at={change.at} by={byText(change, reader)}>
                {change.fields.map(({ field, from, to }) => (
                  <span key={field} className="block wrap-anywhere">
                    {field === 'secretUntil' ? <SecretEnd prefix={from} until={to} /> : changeText(field, from, to)}
                  </span>
                ))}
              </Entry>
            ))}
            <Entry at={createdAt}>Created</Entry>
          </>
        ) : (
          <LoadingRows count={2} row={ROW} />
        )}
      </ol>
    </Panel>
  )
}

const ROW = 'border-b px-4 py-2.5 last:border-b-0'

function Entry({ at, by = null, children }: { at: string; by?: string | null; children: ReactNode }) {
  return (
    <li className={ROW}>
      <div>{children}</div>
      <span className="text-soft">
        {by ? `${by} · ` : null}
        <Time at={at} />
      </span>
    </li>
  )
}

function byText({ by, subject }: KeyChange, reader: Props['reader']): string | null {
  if (by === 'owner') return reader === 'owner' ? 'By you' : 'By the owner'
  if (by === null) return null
  if (reader === 'owner') return 'By the operator'
  return subject === null ? 'By the admin key' : `By ${subject}`
}

function SecretEnd({ prefix, until }: { prefix: Value; until: Value }) {
  const verb = useClock((now) => (typeof until === 'string' && Date.parse(until) <= now ? 'ended' : 'ends')) ?? 'ends'
  if (typeof until !== 'string') return `Secret ${prefix}… works again`
  return (
    <>
      Secret {prefix}… {verb} <Time at={until} />
    </>
  )
}

const WAITS: Record<Finality, string> = {
  preconfirmed: 'at preconfirmation',
  included: 'in a block',
  safe: 'in a safe block',
  finalized: 'in a finalized block',
}

const waitText = (value: Value) => {
  const finality = finalities.find((one) => one === value)
  return finality ? WAITS[finality] : 'as usual'
}
const onOff = (value: Value) => (value === 'true' ? 'on' : 'off')
const count = (value: Value) => (typeof value === 'string' ? BigInt(value).toLocaleString('en') : "the plan's")

/** How the values of a field are written. */
const FIELDS: Record<string, { name: string; written: (value: Value) => string }> = {
  plan: { name: 'Plan', written: (value) => (typeof value === 'string' ? titled(value) : 'none') },
  name: { name: 'Name', written: (value) => (value ? `“${value}”` : 'none') },
  historyEnabled: { name: 'History', written: onOff },
  rps: { name: 'Requests per second', written: count },
  settlementQuota: { name: 'Settlements a month', written: count },
  verificationQuota: { name: 'Verifications a month', written: count },
  allowedNetworks: { name: 'Networks', written: (value) => listed(value, networkTitle) },
  payToAllow: { name: 'Recipients (payTo)', written: (value) => listed(value, shortened) },
  maxAmount: {
    name: 'Maximum per payment',
    written: (value) => (typeof value === 'string' ? `${usdc(value)} USDC` : 'no limit'),
  },
  shareTransactions: { name: 'Batched transactions', written: onOff },
  waitUntil: { name: 'Respond to settle', written: waitText },
  publicReceipts: { name: 'Public receipts', written: onOff },
  secondChargeSeconds: {
    name: 'Repeated payments',
    written: (value) => (typeof value === 'string' ? `refused for ${spanText(Number(value))}` : 'allowed'),
  },
  claimAbove: { name: 'Claims from', written: (value) => (typeof value === 'string' ? `${usdc(value)} USDC` : 'as usual') },
  claimAfterSeconds: {
    name: 'Claims after',
    written: (value) => (typeof value === 'string' ? spanText(Number(value)) : 'as usual'),
  },
  claimMaxGasPrice: {
    name: 'Gas price of claims',
    written: (value) => (typeof value === 'string' ? `${value} wei` : 'no limit'),
  },
}

const list = new Intl.ListFormat('en-GB')

function listed(value: Value, written: (one: string) => string): string {
  return Array.isArray(value) && value.length > 0 ? list.format(value.map(written)) : 'all'
}

/** A changed field in words: "Plan: Free → Growth". */
export function changeText(field: string, from: Value, to: Value): string {
  if (field === 'revokedAt') return to === null ? 'Restored' : 'Revoked'
  if (field === 'secret') return `New secret ${to}…`
  const known = FIELDS[field]
  if (!known) return `${field} changed`
  return `${known.name}: ${known.written(from)} → ${known.written(to)}`
}
