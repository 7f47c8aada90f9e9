import { ImageResponse } from 'next/og'
import { bold } from './bold'
import type { Card, CardSlip } from './cards'
import { PictureMark } from './mark'
import { INKS, PictureStamp, TornEdge } from './paper'
import { pictureText } from './plain'

const SIZE = { width: 1200, height: 630 }
const SLIP = 380

const TITLE_MAX = 80
const TEXT_MAX = 150
const LONG_TITLE = 26
const LONGER_TITLE = 48

/** Draws a preview picture: its texts, and a slip beside them. The texts may be of strangers. Nothing is loaded from the network. */
export function drawPicture(card: Card, headers: Record<string, string>): ImageResponse {
  const title = pictureText(card.title, TITLE_MAX)
  const size = title.length > LONGER_TITLE ? 50 : title.length > LONG_TITLE ? 62 : 80
  return new ImageResponse(
    <div style={{ display: 'flex', width: '100%', height: '100%', background: INKS.table, color: INKS.onTable }}>
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'space-between',
          width: 740,
          height: '100%',
          padding: '72px 0 72px 80px',
        }}
      >
        <div style={{ display: 'flex', alignItems: 'center', gap: 20, fontSize: 34 }}>
          <PictureMark size={52} color={INKS.mark} ground={INKS.table} />
          <div style={{ display: 'flex', ...bold(INKS.onTable, 34) }}>Quittance</div>
          <div style={{ display: 'flex', color: INKS.onTableSoft }}>{pictureText(card.label, TITLE_MAX)}</div>
        </div>
        <div
          style={{
            display: 'flex',
            fontSize: size,
            lineHeight: 1.08,
            letterSpacing: -2,
            wordBreak: 'break-word',
            ...bold(INKS.onTable, size),
          }}
        >
          {title}
        </div>
        <div style={{ display: 'flex', fontSize: 30, lineHeight: 1.4, color: INKS.onTableSoft }}>
          {pictureText(card.text, TEXT_MAX)}
        </div>
      </div>
      <div style={{ display: 'flex', justifyContent: 'flex-end', width: 460, paddingRight: 60 }}>
        <PictureSlip {...(card.slip ?? EXAMPLE)} />
      </div>
    </div>,
    { ...SIZE, headers },
  )
}

const EXAMPLE: CardSlip = {
  to: 'api.example.com',
  amount: '0.001',
  symbol: 'USDC',
  lines: [
    ['Request', 'GET /weather'],
    ['Network', 'Base'],
    ['Settled', 'in 0.9 s'],
    ['Gas', 'paid by us'],
  ],
  stamp: 'Settled',
}

const TO_MAX = 20
const AMOUNT_MAX = 12
const LONG_AMOUNT = 6
const VALUE_MAX = 16

/** A slip that comes out of the upper edge. */
function PictureSlip({ to, amount, symbol, lines, stamp }: CardSlip) {
  const size = amount.length > LONG_AMOUNT ? 42 : 68
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: SLIP }}>
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          gap: 20,
          padding: '48px 40px 26px',
          background: INKS.paper,
          color: INKS.ink,
          fontSize: 22,
        }}
      >
        <div style={{ display: 'flex', ...bold(INKS.ink, 22) }}>{pictureText(to, TO_MAX)}</div>
        <div
          style={{
            display: 'flex',
            alignItems: 'flex-end',
            gap: 12,
            padding: '26px 0',
            lineHeight: 1,
            borderTop: `3px dashed ${INKS.line}`,
            borderBottom: `3px dashed ${INKS.line}`,
          }}
        >
          <div style={{ display: 'flex', fontSize: size, letterSpacing: -2, ...bold(INKS.ink, size) }}>
            {pictureText(amount, AMOUNT_MAX)}
          </div>
          <div style={{ display: 'flex', paddingBottom: size / 10, fontSize: 28, color: INKS.soft }}>
            {pictureText(symbol, LONG_AMOUNT)}
          </div>
        </div>
        {lines.map(([name, value]) => (
          <div key={name} style={{ display: 'flex' }}>
            <div style={{ display: 'flex', width: 120, color: INKS.soft }}>{name}</div>
            <div style={{ display: 'flex' }}>{pictureText(value, VALUE_MAX)}</div>
          </div>
        ))}
        <div style={{ display: 'flex', justifyContent: 'flex-end', paddingTop: 6 }}>
          <PictureStamp tone={INKS.good}>{stamp.toUpperCase()}</PictureStamp>
        </div>
      </div>
      <TornEdge width={SLIP} color={INKS.paper} />
    </div>
  )
}
