import { ImageResponse } from 'next/og'
import type { Card } from './cards'
import { PictureMark } from './mark'
import { pictureText } from './plain'

const SIZE = { width: 1200, height: 630 }
const INK = '#e9efeb'
const SOFT = '#a9b8b0'
const ACCENT = '#5fd3a4'
const PAPER = '#0e1311'

// The torn edge of the logo: down and up again, from the right to the left.
const TORN_WIDTH = 240
const TOOTH = 20
const TORN = `M0 0H${TORN_WIDTH}V24${Array.from({ length: TORN_WIDTH / TOOTH }, () => 'l-10 -14l-10 14').join('')}z`

const TITLE_MAX = 80
const TEXT_MAX = 150
const LONG_TITLE = 34

/** Draws a preview picture. The texts may be of strangers. Nothing is loaded from the network. */
export function drawPicture(card: Card, headers: Record<string, string>): ImageResponse {
  const title = pictureText(card.title, TITLE_MAX)
  return new ImageResponse(
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        width: '100%',
        height: '100%',
        padding: '72px 80px',
        background: PAPER,
        color: INK,
      }}
    >
      <div style={{ display: 'flex', alignItems: 'center', gap: 24, fontSize: 36 }}>
        <PictureMark size={56} color={ACCENT} ground={PAPER} />
        <div style={{ display: 'flex' }}>Quittance</div>
        <div style={{ display: 'flex', color: SOFT }}>{pictureText(card.label, TITLE_MAX)}</div>
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 28 }}>
        <div
          style={{
            display: 'flex',
            fontSize: title.length > LONG_TITLE ? 60 : 84,
            lineHeight: 1.1,
            letterSpacing: -2,
            wordBreak: 'break-word',
          }}
        >
          {title}
        </div>
        <div style={{ display: 'flex', fontSize: 34, lineHeight: 1.4, color: SOFT }}>{pictureText(card.text, TEXT_MAX)}</div>
      </div>
      <svg width={TORN_WIDTH} height={24} viewBox={`0 0 ${TORN_WIDTH} 24`} aria-hidden="true">
        <path fill={ACCENT} d={TORN} />
      </svg>
    </div>,
    { ...SIZE, headers },
  )
}
