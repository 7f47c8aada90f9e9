'use client'

import {
  ArrowUpRight,
  Check,
  ChevronDown,
  CircleAlert,
  LoaderCircle,
  type LucideIcon,
  ShieldAlert,
  ShieldCheck,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { explorerName, transactionUrl } from '@/server/x402/networks/explorers'
import { networkTitle, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { hostOf } from '../../ui/urls'
import type { SlipFacts } from './slip-facts'
import { useCheck } from './use-check'

type Props = { receipt: string; issuer: string; facts: SlipFacts }

/** What a receipt proves: its signature, checked at once in this browser, how final it is, and where the chain has it. Below the verdict a phone folds the rest. */
export function Proofs({ receipt, issuer, facts }: Props) {
  const { check } = useCheck(receipt)
  const [open, setOpen] = useState(false)
  return (
    <section aria-label="Signed receipt" className="overflow-hidden panel">
      <Verdict issuer={issuer} check={check} />
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center justify-between px-5 text-md font-medium lg:hidden"
      >
        What was checked
        <ChevronDown aria-hidden className={cx('size-4 text-soft', open && 'rotate-180')} />
      </button>
      <ul className={cx('grid gap-3.5 px-5 py-4 text-md max-lg:pt-1', !open && 'max-lg:hidden')}>
        <Proof tone={check.state === 'valid' ? 'good' : check.state === 'invalid' ? 'warn' : 'plain'} title="Signature">
          Your browser checks the signature against the issuer's published keys.
          <span className="block [&_button]:text-md">
            <Copyable text={receipt} shown="Copy the signed receipt" label="signed receipt" inWords />
          </span>
        </Proof>
        <Finality facts={facts} />
        {facts.transaction ? (
          <Proof tone={ON_CHAIN.has(facts.state) ? 'good' : 'plain'} title={`On ${networkTitle(facts.network)}`}>
            {ON_CHAIN.has(facts.state) ? 'This payment is on the chain.' : 'Look up its transaction.'}{' '}
            <Chain network={facts.network} transaction={facts.transaction} />
          </Proof>
        ) : null}
        {pastEnvironmentOf(facts.network) === 'testnet' ? (
          <Proof tone="warn" title="Test money">
            It was paid on a test network and has no real value.
          </Proof>
        ) : null}
      </ul>
    </section>
  )
}

type VerdictProps = { issuer: string; check: ReturnType<typeof useCheck>['check'] }

function Verdict({ issuer, check }: VerdictProps) {
  const { Icon, title, look } = SEALS[check.state]
  return (
    <div className={cx('flex items-center gap-4 border-b px-5 py-3 lg:py-4', look)}>
      <Icon aria-hidden className="size-9" strokeWidth={1.5} />
      <div role="status" className="grid min-w-0">
        <p className="text-lg leading-snug font-semibold">{title}</p>
        <p className="text-sm wrap-anywhere">{check.state === 'invalid' ? check.why : `Signed by ${hostOf(issuer)}`}</p>
      </div>
    </div>
  )
}

const ON_CHAIN: ReadonlySet<SlipFacts['state']> = new Set(['included', 'safe', 'finalized'])

const SEALS = {
  checking: { Icon: LoaderCircle, title: 'Checking the signature…', look: 'bg-code text-soft' },
  valid: { Icon: ShieldCheck, title: 'Signature valid', look: 'bg-wash text-accent' },
  invalid: { Icon: ShieldAlert, title: 'Do not trust this receipt', look: 'bg-bad-wash text-bad' },
} as const

const FINALITIES = {
  preconfirmed: ['warn', 'Preconfirmed', 'Not in a block yet when it was signed.'],
  included: ['warn', 'Settled, not final yet', 'In a block when it was signed. It turns final in minutes.'],
  safe: ['good', 'Final', 'It cannot be undone.'],
  finalized: ['good', 'Final', 'The network finalized it.'],
  reversed: ['bad', 'Reversed', 'The chain undid this payment.'],
  failed: ['bad', 'Failed', 'No money moved.'],
  uncharged: ['good', 'No charge', 'Nothing was charged, so no money moved.'],
} as const satisfies Record<SlipFacts['state'], readonly [Tone, string, string]>

function Finality({ facts: { state, block, network } }: { facts: SlipFacts }) {
  const [tone, title, text] = FINALITIES[state]
  return (
    <Proof tone={tone} title={title}>
      {block ? `${network.startsWith('solana') ? 'Slot' : 'Block'} ${block}. ` : null}
      {text}
    </Proof>
  )
}

function Chain({ network, transaction }: { network: string; transaction: string }) {
  const url = transactionUrl(network, transaction)
  if (!url) return null
  return (
    <a href={url} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 whitespace-nowrap">
      View on {explorerName(network)}
      <ArrowUpRight aria-hidden className="size-3.5" />
    </a>
  )
}

type Tone = 'good' | 'warn' | 'bad' | 'plain'

const MARKS = {
  good: [Check, 'text-accent'],
  warn: [CircleAlert, 'text-warn'],
  bad: [CircleAlert, 'text-bad'],
  plain: [Check, 'text-line'],
} as const satisfies Record<Tone, readonly [LucideIcon, string]>

function Proof({ tone, title, children }: { tone: Tone; title: string; children: ReactNode }) {
  const [Icon, color] = MARKS[tone]
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2.5">
      <Icon aria-hidden className={cx('mt-0.5 size-4.5', color)} />
      <span className="grid min-w-0">
        <span className="font-medium">{title}</span>
        <span className="text-soft">{children}</span>
      </span>
    </li>
  )
}
