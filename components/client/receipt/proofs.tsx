'use client'

import { ArrowUpRight, Check, CircleAlert, LoaderCircle, type LucideIcon, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { explorerName, transactionUrl } from '@/server/x402/networks/explorers'
import { networkTitle, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { signedBy } from './signed-by'
import type { SlipFacts } from './slip-facts'
import { useCheck } from './use-check'

type Signed = { receipt: string; issuer: string }

type Props = Signed & {
  facts: SlipFacts
  /** Whether the verdict stands above the slip on narrow screens. */
  isBelowVerdict?: boolean
}

/** The verdict alone, for narrow screens: above the slip, where it is seen first. */
export function NarrowVerdict({ receipt, issuer }: Signed) {
  const { check } = useCheck(receipt)
  return (
    <div className="overflow-hidden panel">
      <Verdict issuer={issuer} check={check} className="py-3" />
    </div>
  )
}

/** What a receipt proves: its signature, checked at once in this browser, how final it is, and where the chain has it. */
export function Proofs({ receipt, issuer, facts, isBelowVerdict = false }: Props) {
  const { check } = useCheck(receipt)
  return (
    <section aria-label="Signed receipt" className="overflow-hidden panel">
      <Verdict issuer={issuer} check={check} className={cx('border-b py-4', isBelowVerdict && 'max-lg:hidden')} />
      <ul className="grid gap-3.5 px-5 py-4 text-md">
        <Proof
          tone={check.state === 'valid' ? 'good' : check.state === 'invalid' ? 'warn' : 'plain'}
          title="Checked in your browser"
        >
          It compared the signature with the published keys of the issuer.
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

type VerdictProps = { issuer: string; check: ReturnType<typeof useCheck>['check']; className: string }

function Verdict({ issuer, check, className }: VerdictProps) {
  const { Icon, title, look } = SEALS[check.state]
  return (
    <div className={cx('flex items-center gap-4 px-5', look, className)}>
      <Icon aria-hidden className="size-9" strokeWidth={1.5} />
      <div role="status" className="grid min-w-0">
        <p className="text-lg leading-snug font-semibold">{title}</p>
        <p className="text-sm wrap-anywhere">{check.state === 'invalid' ? check.why : `Signed by ${signedBy(issuer)}`}</p>
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
