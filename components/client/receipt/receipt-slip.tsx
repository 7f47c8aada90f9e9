import type { ReactNode } from 'react'
import { networkTitle, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { Badge } from '../../ui/badge'
import { Copyable } from '../../ui/copyable'
import { dayDate, exactDate, shortDate } from '../../ui/dates'
import { Linked, Whole } from '../../ui/explorer-link'
import { amountText } from '../../ui/figures'
import { Slip, SlipLine, SlipLines, SlipSum, Stamp, type StampTone } from '../../ui/receipt-slip'
import { partsOf } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'
import type { SlipFacts } from './slip-facts'

type Props = {
  facts: SlipFacts
  /** The time zone of its date. */
  zone: string
  /** Names for what the service sells itself. */
  names?: { merchant: string | null; resource: string | null }
  children?: ReactNode
}

/** A payment as a slip of paper: what people read first, and what programs read folded below. Prints as it shows. */
export function ReceiptSlip({ facts, zone, names, children }: Props) {
  const { host, path } = partsOf(facts.resource)
  const at = new Date(facts.at)
  const [tone, word] = STAMPS[facts.state]
  return (
    <Slip
      word={facts.state === 'failed' ? 'Failed payment' : 'Receipt'}
      label="Payment receipt"
      mark={pastEnvironmentOf(facts.network) === 'testnet' ? <Badge tone="warn">Test</Badge> : null}
    >
      <h2 className="grid gap-0.5">
        <span className="text-lg leading-snug font-semibold wrap-anywhere">
          {names?.merchant || host || shortened(facts.payTo)}
        </span>
        <span className="text-md font-normal wrap-anywhere text-soft">{names?.resource || path || 'Unnamed resource'}</span>
      </h2>
      <SlipSum
        amount={amountText(facts.amount, facts.decimals)}
        symbol={facts.symbol}
        stamps={
          <Stamp tone={tone} date={dayDate(at, zone)}>
            {word}
          </Stamp>
        }
      />
      <SlipLines>
        <SlipLine name="Date">
          <time dateTime={facts.at} title={exactDate(at, zone)}>
            {shortDate(at, zone, LONG_AGO)}
          </time>
        </SlipLine>
        {facts.maximum === null ? null : (
          <SlipLine name="Authorized">
            Up to {amountText(facts.maximum, facts.decimals)} {facts.symbol}
          </SlipLine>
        )}
        <SlipLine name="Payer">{facts.payer ? <Short text={facts.payer} label="payer" /> : 'Unknown'}</SlipLine>
        <SlipLine name="Recipient">
          <Short text={facts.payTo} label="recipient" />
        </SlipLine>
        <SlipLine name="Network">{networkTitle(facts.network)}</SlipLine>
        {facts.transaction ? (
          <SlipLine name="Transaction">
            <span className="print:hidden">
              <Linked network={facts.network} transaction={facts.transaction} label="transaction" />
            </span>
            <Printed text={facts.transaction} />
          </SlipLine>
        ) : null}
      </SlipLines>
      {children}
      <details className="border-t border-dashed pt-4 text-md print:hidden">
        <summary className="unfolds flex min-h-6 items-center justify-between">Details</summary>
        <div className="pt-3">
          <SlipLines>
            {facts.state === 'failed' ? null : <SlipLine name="State">{WORDS[facts.state]}</SlipLine>}
            <SlipLine name="Exact time">
              <span className="block">{exactDate(at, zone)}</span>
              {zone === 'UTC' ? null : <span className="block text-soft">{exactDate(at, 'UTC')}</span>}
            </SlipLine>
            <SlipLine name="Atomic units">{facts.amount}</SlipLine>
            {facts.asset ? (
              <SlipLine name="Token">
                <Whole text={facts.asset} label="token" />
              </SlipLine>
            ) : null}
            <SlipLine name="Network ID">{facts.network}</SlipLine>
            {facts.block ? <SlipLine name={facts.network.startsWith('solana') ? 'Slot' : 'Block'}>{facts.block}</SlipLine> : null}
            {facts.logIndex === null ? null : <SlipLine name="Log index">{facts.logIndex}</SlipLine>}
            <SlipLine name="Resource">{facts.resource || 'Unnamed'}</SlipLine>
            {facts.settlementId ? (
              <SlipLine name="Settlement ID">
                <Whole text={facts.settlementId} label="settlement ID" />
              </SlipLine>
            ) : null}
          </SlipLines>
        </div>
      </details>
    </Slip>
  )
}

// No receipt is so old that its date needs no year.
const LONG_AGO = new Date(0)

const STAMPS = {
  preconfirmed: ['good', 'Settled'],
  included: ['good', 'Settled'],
  safe: ['good', 'Final'],
  finalized: ['good', 'Final'],
  reversed: ['bad', 'Reversed'],
  failed: ['bad', 'Failed'],
  uncharged: ['good', 'No charge'],
} as const satisfies Record<SlipFacts['state'], [StampTone, string]>

const WORDS = {
  preconfirmed: 'Preconfirmed by the sequencer, not final yet',
  included: 'Included in a block, not final yet',
  safe: 'Final',
  finalized: 'Final: finalized by the network',
  reversed: 'Reversed: the chain undid it',
  uncharged: 'Nothing was charged, so no money moved',
} as const

// Paper has no copy button, and room for all of it.
function Short({ text, label }: { text: string; label: string }) {
  return (
    <>
      <span className="print:hidden">
        <Copyable text={text} label={label} />
      </span>
      <Printed text={text} />
    </>
  )
}

const Printed = ({ text }: { text: string }) => <span className="hidden font-mono text-sm print:inline">{text}</span>
