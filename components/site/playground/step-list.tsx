import { Check, LoaderCircle, X } from 'lucide-react'
import type { Step, StepMessages, StepName } from '../../client/paid-request/steps'
import { Elapsed } from './elapsed'

type Text = { title: string; note: string; line: string }

const TEXTS: Record<StepName, Text> = {
  fund: {
    title: 'Create a wallet',
    note: 'This browser creates its key; the faucet sends 0.01 test USDC. It needs no ether: it never pays gas.',
    line: 'POST /faucet/<address>',
  },
  ask: {
    title: 'Request a paid resource',
    note: 'The merchant answers 402 with the price, the asset and where to pay.',
    line: 'GET /weather → 402',
  },
  sign: {
    title: 'Sign the transfer',
    note: 'This amount, to this address, once, within minutes. Signing sends nothing.',
    line: 'TransferWithAuthorization → signature',
  },
  pay: {
    title: 'Retry with the signature',
    note: 'The merchant calls Quittance: we verify the payment, send the transfer, pay the gas and wait for its block.',
    line: 'GET /weather with PAYMENT-SIGNATURE',
  },
  receive: {
    title: 'Receive the resource',
    note: 'The response has the resource and a PAYMENT-RESPONSE header with the transaction.',
    line: '200, PAYMENT-RESPONSE: success',
  },
}

/** The steps of a payment with their state; each opens to show its messages. */
export function StepList({ steps }: { steps: Step[] }) {
  return (
    <ol className="run">
      {steps.map((step) => (
        <li key={step.name} data-state={step.state}>
          <Mark state={step.state} />
          <div>
            <h3>
              {TEXTS[step.name].title}
              <Took step={step} />
            </h3>
            <p>{TEXTS[step.name].note}</p>
            {step.messages ? <Messages messages={step.messages} /> : <code className="line">{TEXTS[step.name].line}</code>}
          </div>
        </li>
      ))}
    </ol>
  )
}

const MARKS = {
  waiting: null,
  running: <LoaderCircle role="img" aria-label="In progress" />,
  done: <Check role="img" aria-label="Done" />,
  failed: <X role="img" aria-label="Failed" />,
} as const

function Mark({ state }: { state: Step['state'] }) {
  return <span className="mark">{MARKS[state]}</span>
}

function Took({ step: { state, milliseconds } }: { step: Step }) {
  if (state === 'running') return <Elapsed />
  return milliseconds === undefined ? null : <span className="took">{milliseconds.toLocaleString('en')} ms</span>
}

function Messages({ messages: { line, parts } }: { messages: StepMessages }) {
  return (
    <details>
      <summary>
        <code>{line}</code>
      </summary>
      {parts.map(({ name, text }) => (
        <figure key={name}>
          <figcaption>{name}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
          <pre tabIndex={0}>{text}</pre>
        </figure>
      ))}
    </details>
  )
}
