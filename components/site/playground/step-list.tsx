import type { Step, StepMessages, StepName } from '../../client/paid-request/steps'
import { cx } from '../../ui/class-names'
import { StepIcon } from '../../ui/step-mark'
import { Elapsed } from './elapsed'
import { TOOK } from './layout'

type Text = { title: string; note: string; line: string }

const TEXTS: Record<StepName, Text> = {
  fund: {
    title: 'Create a wallet',
    note: 'This browser creates a key, and a faucet sends it 0.01 test USDC. The wallet needs no ether, because it never pays gas.',
    line: 'POST /faucet/<address>',
  },
  ask: {
    title: 'Request a paid resource',
    note: 'The merchant answers 402 with the price, the asset and where to pay.',
    line: 'GET /weather → 402',
  },
  sign: {
    title: 'Sign the transfer',
    note: 'The signature allows this amount, to this address, once, within minutes. Signing sends nothing.',
    line: 'TransferWithAuthorization → signature',
  },
  pay: {
    title: 'Retry with the signature',
    note: 'The merchant calls Quittance: we verify the payment, send the transfer, pay the gas and wait for the block.',
    line: 'GET /weather with PAYMENT-SIGNATURE',
  },
  receive: {
    title: 'Receive the resource',
    note: 'The response has the resource and a PAYMENT-RESPONSE header with the transaction.',
    line: '200, PAYMENT-RESPONSE: success',
  },
}

const TEXT = 'mt-1 max-h-72 overflow-auto rounded-lg bg-code px-[0.85rem] py-[0.7rem] text-[0.76rem] leading-[1.55]'
const LINE = 'block py-[0.2rem] text-[0.82rem] leading-normal wrap-anywhere'

/** The steps of a payment with their state; each opens to show its messages. */
export function StepList({ steps }: { steps: Step[] }) {
  return (
    <ol className="frame px-[1.35rem] py-2 phone:px-4 md:max-[62rem]:col-span-full min-[62rem]:col-start-2 min-[62rem]:grid min-[62rem]:grid-cols-1 min-[62rem]:row-span-2 min-[62rem]:row-start-1">
      {steps.map((step, place) => (
        <li
          key={step.name}
          data-state={step.state}
          className="relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-[0.9rem] py-[0.85rem] not-last:before:absolute not-last:before:top-12 not-last:before:-bottom-[0.55rem] not-last:before:left-[0.84rem] not-last:before:w-px not-last:before:bg-line phone:gap-[0.7rem]"
        >
          <Mark state={step.state} number={place + 1} />
          <div className="grid min-w-0 grid-cols-1 content-start gap-[0.15rem]">
            <h3 className="flex items-baseline justify-between gap-[0.8rem] leading-[1.65]">
              {TEXTS[step.name].title}
              <Took step={step} />
            </h3>
            <p className="text-[0.93rem] leading-normal text-soft">{TEXTS[step.name].note}</p>
            {step.messages ? (
              <Messages messages={step.messages} />
            ) : (
              <code className={cx(LINE, 'text-soft')}>{TEXTS[step.name].line}</code>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

const MARK_LOOKS = {
  waiting: 'bg-paper text-soft',
  running: 'border-accent bg-paper text-accent',
  done: 'border-accent bg-accent text-paper',
  failed: 'border-bad bg-bad-wash text-bad',
} as const

/** The state of a step; before it runs, its number, which the list says already. */
function Mark({ state, number }: { state: Step['state']; number: number }) {
  return (
    <span
      className={cx(
        'grid size-7 place-items-center rounded-full border text-[0.82rem] font-[650] duration-200 motion-safe:transition-[background-color,border-color]',
        MARK_LOOKS[state],
      )}
    >
      {state === 'waiting' ? <span aria-hidden>{number}</span> : <StepIcon state={state} />}
    </span>
  )
}

function Took({ step: { state, milliseconds } }: { step: Step }) {
  if (state === 'running') return <Elapsed />
  return milliseconds === undefined ? null : <span className={TOOK}>{milliseconds.toLocaleString('en')} ms</span>
}

function Messages({ messages: { line, parts } }: { messages: StepMessages }) {
  return (
    <details>
      <summary
        className={cx(
          LINE,
          'cursor-pointer pl-[1.06rem] before:mr-[0.6rem] before:mb-[0.14rem] before:-ml-[0.96rem] before:inline-block before:size-[0.36rem] before:-rotate-45 before:border-current before:border-r-[1.5px] before:border-b-[1.5px] in-open:before:rotate-45 [&::-webkit-details-marker]:hidden',
        )}
      >
        <code className="text-[length:inherit]">{line}</code>
      </summary>
      {parts.map(({ name, text }) => (
        <figure key={name} className="mt-[0.4rem] mb-[0.7rem]">
          <figcaption className="text-[0.8rem] font-semibold text-soft">{name}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
          <pre tabIndex={0} className={TEXT}>
            {text}
          </pre>
        </figure>
      ))}
    </details>
  )
}
