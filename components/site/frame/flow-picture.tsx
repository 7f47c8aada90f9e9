import type { Step, StepName } from '../../client/paid-request/steps'
import { cx } from '../../ui/class-names'

const actors = ['Client', 'Merchant', 'Quittance', 'Chain'] as const

type Actor = (typeof actors)[number]

/** A message of a payment, or what an actor does alone; `step` is the step of the playground that does it. */
type Message = { from: Actor; to: Actor; text: string; kind: 'request' | 'response' | 'alone'; step: StepName }

const PAYMENT: readonly Message[] = [
  { from: 'Client', to: 'Client', text: 'new wallet', kind: 'alone', step: 'fund' },
  { from: 'Client', to: 'Merchant', text: 'request', kind: 'request', step: 'ask' },
  { from: 'Merchant', to: 'Client', text: '402 + price', kind: 'response', step: 'ask' },
  { from: 'Client', to: 'Client', text: 'signature', kind: 'alone', step: 'sign' },
  { from: 'Client', to: 'Merchant', text: 'signed retry', kind: 'request', step: 'pay' },
  { from: 'Merchant', to: 'Quittance', text: 'verify, settle', kind: 'request', step: 'pay' },
  { from: 'Quittance', to: 'Chain', text: 'transfer', kind: 'request', step: 'pay' },
  { from: 'Chain', to: 'Quittance', text: 'included', kind: 'response', step: 'pay' },
  { from: 'Quittance', to: 'Merchant', text: 'success', kind: 'response', step: 'pay' },
  { from: 'Merchant', to: 'Client', text: '200 + data', kind: 'response', step: 'receive' },
]

/** Selling through a channel: one deposit, a voucher for each request, one claim. */
const CHANNEL: readonly Message[] = [
  { from: 'Client', to: 'Merchant', text: 'deposit', kind: 'request', step: 'ask' },
  { from: 'Merchant', to: 'Quittance', text: 'settle', kind: 'request', step: 'ask' },
  { from: 'Quittance', to: 'Chain', text: 'deposit', kind: 'request', step: 'ask' },
  { from: 'Quittance', to: 'Merchant', text: 'deposited', kind: 'response', step: 'ask' },
  { from: 'Client', to: 'Merchant', text: 'voucher', kind: 'request', step: 'pay' },
  { from: 'Merchant', to: 'Quittance', text: 'charge', kind: 'request', step: 'pay' },
  { from: 'Quittance', to: 'Merchant', text: 'success', kind: 'response', step: 'pay' },
  { from: 'Merchant', to: 'Client', text: '200 + data', kind: 'response', step: 'pay' },
  { from: 'Quittance', to: 'Chain', text: 'one claim', kind: 'request', step: 'receive' },
  { from: 'Chain', to: 'Merchant', text: 'USDC', kind: 'response', step: 'receive' },
]

const FLOWS = {
  payment: {
    messages: PAYMENT,
    title:
      'The client requests, the merchant answers 402 with a price, the client signs and retries, Quittance settles on-chain, the merchant responds.',
  },
  channel: {
    messages: CHANNEL,
    title:
      'The client deposits once on-chain. Each request then carries a voucher, which the merchant charges through Quittance. Quittance claims many charges in one transaction, which pays the merchant.',
  },
} as const

// Readable on a phone without zooming. A wide one fills the column of an article.
const LANE = 96
const WIDE_LANE = 216
const EDGE = 52
const TOP = 58
const ROW = 38
/** The room for the frame of what repeats and its name. */
const LOOP_GAP = 22

/** How long the messages of a running step take to light up one after another. */
const NEXT_MS = 220

const laneOf = (actor: Actor, lane: number) => EDGE + lane * actors.indexOf(actor)

/** A text that lines behind it do not strike through. */
const LABEL = { fontSize: 14, fill: 'var(--ink)', stroke: 'var(--card)', strokeWidth: 5, paintOrder: 'stroke' } as const

/**
 * The messages of one paid request, or of a channel, as a sequence diagram. With the steps of the playground it has their numbers. During a payment it
 * moves with them: messages that were not sent yet are pale, and those of the running step light up in turn.
 */
export function FlowPicture({ steps = [], flow = 'payment' }: { steps?: readonly Step[]; flow?: keyof typeof FLOWS }) {
  // Steps beside it say the same: on a phone the words of the picture would be too small.
  if (steps.length > 0)
    return <Drawing steps={steps} flow={flow} lane={LANE} className="mx-auto max-w-[25rem] self-start phone:hidden" />
  return (
    <>
      <Drawing steps={steps} flow={flow} lane={LANE} className="max-h-[30rem] md:hidden" />
      <Drawing steps={steps} flow={flow} lane={WIDE_LANE} className="max-md:hidden" />
    </>
  )
}

type DrawingProps = { steps: readonly Step[]; flow: keyof typeof FLOWS; lane: number; className: string }

function Drawing({ steps, flow, lane, className }: DrawingProps) {
  const { messages, title } = FLOWS[flow]
  const started = steps.some(({ state }) => state !== 'waiting')
  const stateOf = (name: StepName) => steps.find((step) => step.name === name)?.state
  const shown = messages.filter(({ kind, step }) => kind !== 'alone' || stateOf(step) !== undefined)
  const gap = flow === 'channel' ? LOOP_GAP : 0
  const height = TOP + ROW * shown.length + gap + 8
  return (
    <svg
      className={cx('frame h-auto w-full px-[0.4rem] py-[0.8rem]', className)}
      viewBox={`0 0 ${EDGE * 2 + lane * (actors.length - 1)} ${height}`}
      role="img"
      aria-label={title}
      fontFamily="var(--sans)"
    >
      {actors.map((actor) => (
        <Lane key={actor} actor={actor} x={laneOf(actor, lane)} height={height} />
      ))}
      {flow === 'channel' ? <Loop lane={lane} /> : null}
      {shown.map((message, row) => {
        const y = TOP + ROW * (row + 0.6) + (message.step === 'ask' ? 0 : gap)
        const place = steps.findIndex(({ name }) => name === message.step)
        const state = stateOf(message.step)
        const first = shown.findIndex(({ step }) => step === message.step)
        const running = state === 'running'
        return (
          <g
            key={`${message.from} ${message.text}`}
            opacity={started && state === 'waiting' ? 0.25 : undefined}
            className={running ? 'lights-up' : undefined}
            style={running ? { animationDelay: `${(row - first) * NEXT_MS}ms` } : undefined}
          >
            {place >= 0 && row === first ? (
              <StepNumber number={place + 1} x={laneOf('Client', lane) - 26} y={y} state={state} />
            ) : null}
            {message.kind === 'alone' ? (
              <Alone text={message.text} x={laneOf(message.from, lane)} y={y} />
            ) : (
              <Arrow message={message} lane={lane} y={y} look={running ? 'moving' : state === 'failed' ? 'failed' : 'still'} />
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** The number of a step; a tick when it is done. */
function StepNumber({ number, x, y, state }: { number: number; x: number; y: number; state: Step['state'] | undefined }) {
  const active = state === 'running' || state === 'done'
  return (
    <>
      <circle cx={x} cy={y} r={9.5} fill={active ? 'var(--accent)' : 'var(--accent-wash)'} />
      {state === 'done' ? (
        <path d={`M${x - 4} ${y + 0.4}l2.8 2.8l5.2 -5.8`} fill="none" stroke="var(--paper)" strokeWidth={1.8} />
      ) : (
        <text x={x} y={y + 4} textAnchor="middle" fontSize={12} fontWeight={650} fill={active ? 'var(--paper)' : 'var(--accent)'}>
          {number}
        </text>
      )}
    </>
  )
}

/** The frame of the messages of a channel that repeat. */
function Loop({ lane }: { lane: number }) {
  const y = TOP + ROW * CHANNEL.findIndex(({ step }) => step === 'pay') + 6
  const height = ROW * CHANNEL.filter(({ step }) => step === 'pay').length + LOOP_GAP - 12
  const box = { x: 4, y, width: EDGE * 2 + lane * 3 - 8, height, rx: 9 }
  return (
    <>
      <rect {...box} fill="none" stroke="var(--accent)" strokeDasharray="3 4" />
      <text x={16} y={y + 4.5} {...LABEL} fill="var(--accent)" strokeWidth={9}>
        each request
      </text>
    </>
  )
}

function Lane({ actor, x, height }: { actor: Actor; x: number; height: number }) {
  const ours = actor === 'Quittance'
  return (
    <g>
      <line x1={x} y1={42} x2={x} y2={height - 4} stroke="var(--line)" strokeWidth={1.5} />
      <rect
        x={x - 43}
        y={12}
        width={86}
        height={30}
        rx={9}
        fill={ours ? 'var(--accent)' : 'var(--paper)'}
        stroke={ours ? 'var(--accent)' : 'var(--line)'}
      />
      <text x={x} y={31.5} textAnchor="middle" fontSize={13.5} fontWeight={620} fill={ours ? 'var(--paper)' : 'var(--ink)'}>
        {actor}
      </text>
    </g>
  )
}

/** What an actor does alone: a mark on its line. */
function Alone({ text, x, y }: { text: string; x: number; y: number }) {
  return (
    <>
      <circle cx={x} cy={y} r={4} fill="var(--accent)" />
      <text x={x + 12} y={y + 4.5} {...LABEL}>
        {text}
      </text>
    </>
  )
}

type ArrowProps = { message: Message; lane: number; y: number; look: 'still' | 'moving' | 'failed' }

function Arrow({ message: { from, to, text, kind }, lane, y, look }: ArrowProps) {
  const start = laneOf(from, lane)
  const end = laneOf(to, lane)
  const towards = Math.sign(end - start)
  const tip = end - towards * 3
  const usual = kind === 'request' ? 'var(--accent)' : 'var(--soft)'
  const colour = look === 'failed' ? 'var(--bad)' : look === 'moving' ? 'var(--accent)' : usual
  return (
    <>
      <text x={(start + end) / 2} y={y - 7} textAnchor="middle" {...LABEL}>
        {text}
      </text>
      <line
        x1={start + towards * 3}
        y1={y}
        x2={tip - towards * 5}
        y2={y}
        stroke={colour}
        strokeWidth={look === 'moving' ? 2.4 : 1.6}
        strokeDasharray={look === 'moving' ? '8 4' : kind === 'request' ? undefined : '4 3'}
        className={look === 'moving' ? 'flows' : undefined}
      />
      <path d={`M${tip} ${y}l${-towards * 7} -3.6v7.2z`} fill={colour} />
    </>
  )
}
