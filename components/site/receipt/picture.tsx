import { LRUCache } from 'lru-cache'
import { ImageResponse } from 'next/og'
import { networkTitle, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { factsIn } from '../../client/receipt/slip-facts'
import { amountText } from '../../ui/figures'
import { partsOf } from '../../ui/resource-name'
import { PictureMark } from '../pictures/mark'
import { pictureText } from '../pictures/plain'

/** Drawing takes some 50 ms of the thread that payments need. */
const DRAW_EVERY_MS = 1_000
const KEPT = 100
const NAME_MAX = 40

const kept = new LRUCache<string, ArrayBuffer>({ max: KEPT })
let drawnAt = Number.NEGATIVE_INFINITY

const PAPER = '#ffffff'
const INK = '#17211c'
const SOFT = '#56635b'
const ACCENT = '#0a6b4b'
const BAD = '#a3241d'
const WARN = '#7a4b00'
const TABLE = '#0e1311'
const WIDTH = 620
const TOOTH = 20
// Down and up again, from the right edge to the left, as in the logo.
const TORN = `M0 0H${WIDTH}V24${Array.from({ length: WIDTH / TOOTH }, () => `l-10 -14l-10 14`).join('')}z`

type Words = { merchant: string; amount: string; state: string; network: string; isTest: boolean }

/** What a picture of a receipt says: names and sums only, no address and no transaction. */
export function pictureWords(receipt: string): Words {
  const { resource, amount, symbol, decimals, state, network } = factsIn(receipt)
  const settled = state === 'safe' || state === 'finalized' ? 'Final' : 'Settled'
  return {
    merchant: pictureText(partsOf(resource).host || 'A paid request', NAME_MAX),
    amount: `${amountText(amount, decimals)} ${pictureText(symbol, NAME_MAX)}`,
    state: state === 'reversed' ? 'Reversed' : settled,
    network: pictureText(networkTitle(network), NAME_MAX),
    isTest: pastEnvironmentOf(network) === 'testnet',
  }
}

/** The preview picture of a shared receipt as PNG: a slip with its stamp; null while another one was drawn a moment ago. */
export async function receiptPicture(receipt: string): Promise<ArrayBuffer | null> {
  const words = pictureWords(receipt)
  const key = JSON.stringify(words)
  const known = kept.get(key)
  if (known) return known
  const now = performance.now()
  if (now - drawnAt < DRAW_EVERY_MS) return null
  drawnAt = now
  const picture = await draw(words).arrayBuffer()
  kept.set(key, picture)
  return picture
}

function draw({ merchant, amount, state, network, isTest }: Words): ImageResponse {
  return new ImageResponse(
    <div style={{ display: 'flex', justifyContent: 'center', width: '100%', height: '100%', paddingTop: 60, background: TABLE }}>
      <div style={{ display: 'flex', flexDirection: 'column', width: WIDTH }}>
        <div
          style={{
            display: 'flex',
            flexDirection: 'column',
            justifyContent: 'space-between',
            height: 450,
            padding: '44px 52px 20px',
            background: PAPER,
            color: INK,
          }}
        >
          <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', fontSize: 28 }}>
            <div style={{ display: 'flex', alignItems: 'center', gap: 12 }}>
              <PictureMark size={40} color={ACCENT} ground={PAPER} />
              Quittance
            </div>
            <div style={{ display: 'flex', color: SOFT }}>Receipt</div>
          </div>
          <div style={{ display: 'flex', fontSize: merchant.length > 26 ? 25 : 36, wordBreak: 'break-all' }}>{merchant}</div>
          <div style={{ display: 'flex', fontSize: amount.length > 16 ? 52 : 76, letterSpacing: -2 }}>{amount}</div>
          <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', fontSize: 28 }}>
            <div style={{ display: 'flex', color: SOFT }}>{network}</div>
            <div style={{ display: 'flex', gap: 24 }}>
              {/* Test money must not pass for money, as on the page. */}
              {isTest ? stamp('Test', WARN) : null}
              {stamp(state, state === 'Reversed' ? BAD : ACCENT)}
            </div>
          </div>
        </div>
        <svg width={WIDTH} height={24} viewBox={`0 0 ${WIDTH} 24`} aria-hidden="true">
          <path fill={PAPER} d={TORN} />
        </svg>
      </div>
    </div>,
    { width: 1200, height: 630 },
  )
}

function stamp(word: string, tone: string) {
  return (
    <div
      style={{
        display: 'flex',
        padding: '8px 22px',
        border: `4px solid ${tone}`,
        borderRadius: 10,
        color: tone,
        letterSpacing: 4,
        transform: 'rotate(-6deg)',
      }}
    >
      {word.toUpperCase()}
    </div>
  )
}
