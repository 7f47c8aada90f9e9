const actors = ['Client', 'Merchant', 'Quittance', 'Chain'] as const

type Actor = (typeof actors)[number]
type Message = { from: Actor; to: Actor; text: string; kind: 'request' | 'response' }

const messages: Message[] = [
  { from: 'Client', to: 'Merchant', text: 'request', kind: 'request' },
  { from: 'Merchant', to: 'Client', text: '402 + price', kind: 'response' },
  { from: 'Client', to: 'Merchant', text: 'signed retry', kind: 'request' },
  { from: 'Merchant', to: 'Quittance', text: 'verify, settle', kind: 'request' },
  { from: 'Quittance', to: 'Chain', text: 'transfer', kind: 'request' },
  { from: 'Chain', to: 'Quittance', text: 'included', kind: 'response' },
  { from: 'Quittance', to: 'Merchant', text: 'success', kind: 'response' },
  { from: 'Merchant', to: 'Client', text: '200 + data', kind: 'response' },
]

// Readable on a phone without zooming; larger screens scale it up.
const LANE = 96
const EDGE = 52
const TOP = 58
const ROW = 38
const WIDTH = EDGE * 2 + LANE * (actors.length - 1)
const HEIGHT = TOP + ROW * messages.length + 8

const laneOf = (actor: Actor) => EDGE + LANE * actors.indexOf(actor)

/** The messages of one paid request as a sequence diagram. */
export function FlowPicture() {
  return (
    <svg className="flow" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby="flow-title" fontFamily="var(--sans)">
      <title id="flow-title">
        The client requests, the merchant answers 402 with a price, the client signs and retries, Quittance settles on-chain, the
        merchant responds.
      </title>
      {actors.map((actor) => (
        <Lane key={actor} actor={actor} />
      ))}
      {messages.map((message, row) => (
        <Arrow key={message.text} message={message} y={TOP + ROW * (row + 0.6)} />
      ))}
    </svg>
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
    <g>
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
    </g>
  )
}
