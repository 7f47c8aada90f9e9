import { ArrowRight } from 'lucide-react'
import type { Check } from '@/server/explain/checks'
import { Fix, Verdict } from '../../client/explain/answer'
import { Example } from '../../ui/example'

const ACCEPTED = [
  ['payment', 'Payment', 'See every check, and which fails first.'],
  ['offer', '402 response', 'See which clients can pay it.'],
  ['response', 'Settle response', 'See its reason and how to fix it.'],
  ['settlement', 'Settlement ID', 'See how it ended, once you are signed in.'],
] as const

/** A text of each kind. */
export type Examples = Readonly<Record<(typeof ACCEPTED)[number][0], string>>

// What an answer begins with, in a fixed form: a real one depends on the chain.
const FAILED: Check = {
  name: 'balance',
  title: 'Balance',
  status: 'failed',
  reason: null,
  evidence: 'The payer has 0 USDC; the payment needs 0.001 USDC.',
  remedy: 'The payer must add USDC to its wallet on this network and pay again; no gas is needed.',
}

const ANSWER = {
  tone: 'bad',
  headline: 'Verify would refuse this payment: Insufficient funds',
  text: '0.001 USDC on Base from 0x857b…6b66 to 0x5511…E6E2',
  checks: Array.from({ length: 24 }, (_, at): Check => ({ ...FAILED, name: `${at}`, status: at < 23 ? 'passed' : 'failed' })),
} as const

type Props = { examples: Examples; explain: (input: string) => void; hasPreview: boolean }

/** What can be pasted, each with an example that a click explains, and how an answer begins. */
export function Accepted({ examples, explain, hasPreview }: Props) {
  return (
    <>
      <section aria-labelledby="accepted" className="grid grid-rows-[auto_minmax(0,1fr)] gap-1.5">
        <p id="accepted" className="text-sm font-medium">
          Try an example
        </p>
        <ul className="grid auto-rows-fr grid-cols-1 overflow-hidden panel">
          {ACCEPTED.map(([kind, what, about]) => (
            <li key={kind} className="grid border-b last:border-b-0">
              <button
                type="button"
                onClick={() => explain(examples[kind])}
                className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-2 text-left hover:bg-code/60 focus-visible:-outline-offset-2"
              >
                <span className="grid gap-0.5">
                  <span className="font-semibold">{what}</span>
                  <span className="text-md text-pretty text-soft">{about}</span>
                </span>
                <ArrowRight aria-hidden className="size-4 text-accent" />
              </button>
            </li>
          ))}
        </ul>
      </section>
      {hasPreview ? (
        <div className="lg:col-span-full">
          <Example>
            <Verdict {...ANSWER} />
            <ul className="border-t">
              <Fix check={FAILED} isFirst={false} />
            </ul>
          </Example>
        </div>
      ) : null}
    </>
  )
}
