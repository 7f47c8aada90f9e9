'use client'

import type { ReactNode } from 'react'
import type { Step, StepName } from '../../client/paid-request/steps'
import { type Run, usePayment } from '../../client/paid-request/use-payment'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Slip, SlipLine, SlipLines, SlipSum, Stamp } from '../../ui/receipt-slip'
import { shortened } from '../../ui/shortened'
import { hostOf } from '../../ui/urls'

/** The receipt of the hero: printed by a real test payment of the visitor, or an example without a sample merchant. */
export function LiveReceipt({ merchantUrl }: { merchantUrl: string | null }) {
  return merchantUrl === null ? (
    <Frame printed={1} facts={EXAMPLE} stamps={<Stamp tone="warn">Example</Stamp>}>
      <p className={cx(NOTE, 'text-soft')}>Recorded on a test network.</p>
    </Frame>
  ) : (
    <Printer merchantUrl={merchantUrl} />
  )
}

const NOTE = 'min-h-12 text-center text-[0.88rem] text-balance'

/** What the slip says. A fact that is not known yet is an empty text. */
type Facts = {
  host: string
  amount: string
  symbol: string
  network: string
  signature: string
  took: string
  transaction: string
}

const EXAMPLE: Facts = {
  host: 'api.example.com',
  amount: '0.001',
  symbol: 'USDC',
  network: 'Base Sepolia',
  signature: '0x63b9ad34…',
  took: '892 ms',
  transaction: '0x0dfc9fba807735d6a59ddb6d56af9772890ac64e2700f11423af057507b1a1e3',
}

function Printer({ merchantUrl }: { merchantUrl: string }) {
  const { steps, run, press } = usePayment()
  const idle = run.state === 'idle'
  const stamps = idle ? (
    <Stamp tone="warn">Example</Stamp>
  ) : run.state === 'paid' ? (
    <Stamp tone="good">Settled</Stamp>
  ) : run.state === 'failed' ? (
    <Stamp tone="bad">Failed</Stamp>
  ) : null
  return (
    <Frame
      printed={run.state === 'running' ? printedBy(steps) : 1}
      facts={idle ? EXAMPLE : factsOf(merchantUrl, steps, run)}
      stamps={stamps}
    >
      {run.state === 'paid' ? (
        <a className={buttonClass({ size: 'large' })} href="#try">
          See every message
        </a>
      ) : (
        <button
          type="button"
          className={cx(buttonClass({ size: 'large' }), 'aria-disabled:cursor-progress')}
          onClick={press}
          aria-disabled={run.state === 'running'}
        >
          {LABELS[run.state]}
        </button>
      )}
      <p role="status" className={cx(NOTE, run.state === 'failed' ? 'text-bad' : 'text-soft')}>
        {noteOf(run, steps)}
      </p>
    </Frame>
  )
}

const LABELS = { idle: 'Print a live receipt', running: 'Paying…', failed: 'Try again' } as const

function noteOf(run: Run, steps: readonly Step[]): string {
  if (run.state === 'idle') return 'A 0.001 USDC payment on a test network, from a wallet this page creates.'
  if (run.state === 'failed') return run.message
  if (run.state === 'paid') return `Paid and settled in ${run.milliseconds.toLocaleString('en')} ms. We paid the gas.`
  const running = steps.find(({ state }) => state === 'running')
  return running ? DOING[running.name] : 'Starting…'
}

const DOING: Record<StepName, string> = {
  fund: 'A new wallet gets test money…',
  ask: 'The merchant names its price…',
  sign: 'The wallet signs the transfer…',
  pay: 'Quittance verifies and settles on-chain…',
  receive: 'The merchant delivers…',
}

const SHARES: Record<StepName, Share> = { fund: 0.2, ask: 0.4, sign: 0.6, pay: 0.8, receive: 1 }

function printedBy(steps: readonly Step[]): Share {
  const done = steps.filter(({ state }) => state === 'done').at(-1)
  return done ? SHARES[done.name] : 0
}

function factsOf(merchantUrl: string, steps: readonly Step[], run: Run): Facts {
  const lineOf = (name: StepName) => steps.find((step) => step.name === name)?.messages?.line ?? ''
  // "GET /weather → 402: 0.001 USDC on Base Sepolia".
  const [, amount = '', symbol = '', network = ''] = /: ([\d.]+) (\S+) on (.+)$/.exec(lineOf('ask')) ?? []
  const took = steps.find(({ name }) => name === 'pay')?.milliseconds
  return {
    host: hostOf(merchantUrl),
    amount,
    symbol,
    network,
    signature: lineOf('sign').split(' → ')[1]?.replace('...', '…') ?? '',
    took: run.state === 'paid' && took !== undefined ? `${took.toLocaleString('en')} ms` : '',
    transaction: run.state === 'paid' ? run.bought.transaction : '',
  }
}

type Share = 0 | 0.2 | 0.4 | 0.6 | 0.8 | 1

// The policy of the page refuses styles in HTML, so these are classes.
const OUT: Record<Share, string> = {
  0: 'translate-y-[92%]',
  0.2: 'translate-y-[80%]',
  0.4: 'translate-y-[55%]',
  0.6: 'translate-y-[38%]',
  0.8: 'translate-y-[18%]',
  1: 'translate-y-0',
}

type FrameProps = { printed: Share; facts: Facts; stamps: ReactNode; children: ReactNode }

/** A slip that comes out of a printer, whose place it fills from the start. */
function Frame({ printed, facts, stamps, children }: FrameProps) {
  const { host, amount, symbol, network, signature, took, transaction } = facts
  return (
    <div className="app grid justify-items-center gap-4 text-[0.95rem]">
      <div className="grid w-full max-w-[25rem]">
        <div className="overflow-hidden px-3 pt-3 pb-2 phone:px-2">
          <div
            className={cx(
              'motion-safe:transition-transform motion-safe:duration-700 motion-safe:ease-out motion-reduce:translate-y-0',
              OUT[printed],
            )}
          >
            <Slip word="Receipt" label={transaction ? 'A receipt' : 'A receipt being printed'}>
              <div className="grid gap-0.5">
                <p className="truncate text-lg leading-snug font-semibold">{host}</p>
                <p className="text-soft">/weather</p>
              </div>
              <div className="grid min-h-[5.25rem] [&>p]:content-center [&>p]:gap-x-2">
                <SlipSum amount={amount || '…'} symbol={symbol} stamps={stamps} />
              </div>
              <SlipLines>
                <SlipLine name="Request">GET /weather → 402</SlipLine>
                <SlipLine name="Signature">
                  <span className="font-mono text-sm">{signature || '…'}</span>
                </SlipLine>
                <SlipLine name="Network">{network || '…'}</SlipLine>
                <SlipLine name="Settled">{took ? `in ${took}` : '…'}</SlipLine>
                <SlipLine name="Transaction">
                  <span title={transaction || undefined} className="font-mono text-sm">
                    {transaction ? shortened(transaction) : '…'}
                  </span>
                </SlipLine>
                <SlipLine name="Gas">paid by Quittance</SlipLine>
              </SlipLines>
            </Slip>
          </div>
        </div>
        <span aria-hidden className="h-1.5 w-full rounded-full bg-[light-dark(rgb(23_33_28/0.8),var(--line))]" />
      </div>
      {children}
    </div>
  )
}
