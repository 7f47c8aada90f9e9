import type { Step, StepName } from '../../client/paid-request/steps'
import { cx } from '../../ui/class-names'

const actors = ['Client', 'Merchant', 'Quittance', 'Chain'] as const

type Actor = (typeof actors)[number]

/** A message of a payment; `step` is the step of the playground that sends it. */
type Message = { from: Actor; to: Actor; text: string; kind: 'request' | 'response'; step: StepName }

const messages: Message[] = [
  { from: 'Client', to: 'Merchant', text: 'request', kind: 'request', step: 'ask' },
  { from: 'Merchant', to: 'Client', text: '402 + price', kind: 'response', step: 'ask' },
  { from: 'Client', to: 'Merchant', text: 'signed retry', kind: 'request', step: 'pay' },
  { from: 'Merchant', to: 'Quittance', text: 'verify, settle', kind: 'request', step: 'pay' },
  { from: 'Quittance', to: 'Chain', text: 'transfer', kind: 'request', step: 'pay' },
  { from: 'Chain', to: 'Quittance', text: 'included', kind: 'response', step: 'pay' },
  { from: 'Quittance', to: 'Merchant', text: 'success', kind: 'response', step: 'pay' },
  { from: 'Merchant', to: 'Client', text: '200 + data', kind: 'response', step: 'receive' },
]

// Readable on a phone without zooming; larger screens scale it up.
const LANE = 96
const EDGE = 52
const TOP = 58
const ROW = 38
const WIDTH = EDGE * 2 + LANE * (actors.length - 1)
const HEIGHT = TOP + ROW * messages.length + 8

const laneOf = (actor: Actor) => EDGE + LANE * actors.indexOf(actor)

/**
 * The messages of one paid request as a sequence diagram. With the steps of the playground it has their numbers, and during a payment
 * the messages that were not sent yet are pale.
 */
export function FlowPicture({ steps = [] }: { steps?: readonly Step[] }) {
  const started = steps.some(({ state }) => state !== 'waiting')
  return (
    <svg
      // Steps beside it say the same: on a phone the words of the picture would be too small.
      className={cx(
        'frame h-auto w-full max-w-[34rem] px-[0.4rem] py-[0.8rem] min-[62rem]:self-start',
        steps.length > 0 && 'phone:hidden',
      )}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby="flow-title"
      fontFamily="var(--sans)"
    >
      <title id="flow-title">
        The client requests, the merchant answers 402 with a price, the client signs and retries, Quittance settles on-chain, the
        merchant responds.
      </title>
      {actors.map((actor) => (
        <Lane key={actor} actor={actor} />
      ))}
      {messages.map((message, row) => {
        const y = TOP + ROW * (row + 0.6)
        const place = steps.findIndex(({ name }) => name === message.step)
        return (
          <g key={message.text} opacity={started && steps[place]?.state === 'waiting' ? 0.25 : undefined}>
            {place >= 0 && messages[row - 1]?.step !== message.step ? <StepNumber number={place + 1} y={y} /> : null}
            <Arrow message={message} y={y} />
          </g>
        )
      })}
    </svg>
  )
}

function StepNumber({ number, y }: { number: number; y: number }) {
  const x = laneOf('Client') - 26
  return (
    <>
      <circle cx={x} cy={y} r={9.5} fill="var(--accent-wash)" />
      <text x={x} y={y + 4} textAnchor="middle" fontSize={11} fontWeight={650} fill="var(--accent)">
        {number}
      </text>
    </>
  )
}

function Lane({ actor }: { actor: Actor }) {
  const x = laneOf(actor)
  const ours = actor === 'Quittance'
  return (
    <g>
      <line x1={x} y1={42} x2={x} y2={HEIGHT - 4} stroke="var(--line)" strokeWidth={1.5} />
      <rect
        x={x - 43}
        y={12}
        width={86}
        height={30}
        rx={9}
        fill={ours ? 'var(--accent)' : 'var(--paper)'}
        stroke={ours ? 'var(--accent)' : 'var(--line)'}
      />
      <text x={x} y={31.5} textAnchor="middle" fontSize={12.5} fontWeight={620} fill={ours ? 'var(--paper)' : 'var(--ink)'}>
        {actor}
      </text>
    </g>
  )
}

function Arrow({ message: { from, to, text, kind }, y }: { message: Message; y: number }) {
  const start = laneOf(from)
  const end = laneOf(to)
  const towards = Math.sign(end - start)
  const tip = end - towards * 3
  const colour = kind === 'request' ? 'var(--accent)' : 'var(--soft)'
  return (
    <>
      <line
        x1={start + towards * 3}
        y1={y}
        x2={tip - towards * 5}
        y2={y}
        stroke={colour}
        strokeWidth={1.6}
        strokeDasharray={kind === 'request' ? undefined : '4 3'}
      />
      <path d={`M${tip} ${y}l${-towards * 7} -3.6v7.2z`} fill={colour} />
      <text x={(start + end) / 2} y={y - 6.5} textAnchor="middle" fontSize={11.5} fill="var(--ink)">
        {text}
      </text>
    </>
  )
}
