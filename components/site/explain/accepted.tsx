import { ArrowRight } from 'lucide-react'
import type { Check } from '@/server/explain/checks'
import { Verdict } from '../../client/explain/answer'
import { Example } from '../../ui/example'

const KINDS = ['payment', 'offer', 'response', 'settlement'] as const

/** A text of each kind. */
export type Examples = Readonly<Record<(typeof KINDS)[number], string>>

const ACCEPTED = {
  payment: ['Payment', 'See every check, and which fails first.'],
  offer: ['402 response', 'See which clients can pay it.'],
  response: ['Settle response', 'See what its reason means and how to fix it.'],
  settlement: ['Settlement ID', 'See how it ended, once you are signed in.'],
} as const satisfies Record<keyof Examples, readonly [what: string, about: string]>

// What an answer begins with, in a fixed form: a real one depends on the chain.
const ANSWER = {
  tone: 'bad',
  headline: 'Verify would refuse this payment: Invalid signature',
  text: '0.001 USDC on Base from 0x857b…6b66 to 0x5511…E6E2',
  checks: Array.from(
    { length: 24 },
    (_, at): Check => ({
      name: `${at}`,
      title: '',
      status: at < 20 ? 'passed' : at < 22 ? 'failed' : 'not_reached',
      reason: null,
      evidence: '',
      remedy: null,
    }),
  ),
} as const

/** What can be pasted, each with an example that a click explains, and how an answer begins. */
export function Accepted({ examples, explain }: { examples: Examples; explain: (input: string) => void }) {
  return (
    <>
      <section aria-labelledby="accepted" className="grid grid-rows-[auto_minmax(0,1fr)] gap-1.5">
        <h2 id="accepted" className="text-sm font-medium">
          Explain an example
        </h2>
        <ul className="grid auto-rows-fr grid-cols-1 overflow-hidden panel">
          {KINDS.map((kind) => {
            const [what, about] = ACCEPTED[kind]
            return (
              <li key={kind} className="grid border-b last:border-b-0">
                <button
                  type="button"
                  onClick={() => explain(examples[kind])}
                  className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-3 text-left hover:bg-code/60 focus-visible:-outline-offset-2"
                >
                  <span className="grid gap-0.5">
                    <span className="font-semibold">{what}</span>
                    <span className="text-md text-pretty text-soft">{about}</span>
                  </span>
                  <ArrowRight aria-hidden className="size-4 text-accent" />
                </button>
              </li>
            )
          })}
        </ul>
      </section>
      <div className="lg:col-span-full">
        <Example>
          <Verdict {...ANSWER} />
        </Example>
      </div>
    </>
  )
}
