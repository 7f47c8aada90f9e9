import { Check, LoaderCircle, X } from 'lucide-react'
import { Elapsed } from './elapsed'
import type { Sight, Step, StepName } from './steps'

type Words = { title: string; note: string; line: string }

const WORDS: Record<StepName, Words> = {
  fund: {
    title: 'Make a wallet',
    note: 'Its key is made in this browser; the local world gives it 0.01 test USDC. No ether: it never pays gas.',
    line: 'POST /faucet/<address>',
  },
  ask: {
    title: 'Ask for something that costs money',
    note: 'The merchant answers 402 with the price, the asset and where to pay.',
    line: 'GET /weather → 402',
  },
  sign: {
    title: 'Sign the transfer',
    note: 'This amount, to this address, once, within minutes. Signing sends nothing.',
    line: 'TransferWithAuthorization → signature',
  },
  pay: {
    title: 'Ask again, with the signature',
    note: 'The merchant has Quittance verify and settle it: we put the transfer on chain, pay the gas and wait for its block.',
    line: 'GET /weather with PAYMENT-SIGNATURE',
  },
  receive: {
    title: 'Get what was paid for',
    note: 'The resource, and a PAYMENT-RESPONSE that names the transaction.',
    line: '200, PAYMENT-RESPONSE: success',
  },
}

/** The steps of a payment: what each does, how far it is, and what it sent and got for whoever unfolds it. */
export function StepList({ steps }: { steps: Step[] }) {
  return (
    <ol className="run">
      {steps.map((step) => (
        <li key={step.name} data-state={step.state}>
          <Mark state={step.state} />
          <div>
            <h3>
              {WORDS[step.name].title}
              <Took step={step} />
            </h3>
            <p>{WORDS[step.name].note}</p>
            {step.sight ? <Seen sight={step.sight} /> : <code className="line">{WORDS[step.name].line}</code>}
          </div>
        </li>
      ))}
    </ol>
  )
}

const MARKS = {
  waiting: null,
  going: <LoaderCircle aria-label="going on" />,
  done: <Check aria-label="done" />,
  stopped: <X aria-label="stopped here" />,
} as const

function Mark({ state }: { state: Step['state'] }) {
  return <span className="mark">{MARKS[state]}</span>
}

function Took({ step: { state, milliseconds } }: { step: Step }) {
  if (state === 'going') return <Elapsed />
  return milliseconds === undefined ? null : <span className="took">{milliseconds.toLocaleString('en')} ms</span>
}

function Seen({ sight: { line, parts } }: { sight: Sight }) {
  return (
    <details>
      <summary>
        <code>{line}</code>
      </summary>
      {parts.map(({ name, text }) => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <pre tabIndex={0}>{text}</pre>
        </figure>
      ))}
    </details>
  )
}
