import { ImageResponse } from 'next/og'
import { networkTitle, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { factsIn } from '../../client/receipt/slip-facts'
import { amountText } from '../../ui/figures'
import { partsOf } from '../../ui/resource-name'
import { bold } from '../pictures/bold'
import { drawnOnce } from '../pictures/drawn-once'
import { PictureMark } from '../pictures/mark'
import { INKS, PictureStamp, TornEdge } from '../pictures/paper'
import { pictureText } from '../pictures/plain'

const NAME_MAX = 40
const WIDTH = 620

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
export const receiptPicture = (receipt: string) => drawn(pictureWords(receipt))

const drawn = drawnOnce(draw)

function draw({ merchant, amount, state, network, isTest }: Words): ImageResponse {
  const [sum = amount, symbol = ''] = amount.split(' ')
  const size = amount.length > 16 ? 60 : 96
  return new ImageResponse(
    <div style={{ display: 'flex', justifyContent: 'center', width: '100%', height: '100%', background: INKS.table }}>
      <div style={{ display: 'flex', flexDirection: 'column', width: WIDTH }}>
        <div
          style={{
            display: 'flex',
            flexDirection: 'column',
            justifyContent: 'space-between',
            height: 540,
            padding: '56px 56px 28px',
            background: INKS.paper,
            color: INKS.ink,
          }}
        >
          <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', fontSize: 28 }}>
            <div style={{ display: 'flex', alignItems: 'center', gap: 12, ...bold(INKS.ink, 28) }}>
              <PictureMark size={40} color={INKS.good} ground={INKS.paper} />
              Quittance
            </div>
            <div style={{ display: 'flex', color: INKS.soft }}>Receipt</div>
          </div>
          <div
            style={{
              display: 'flex',
              fontSize: merchant.length > 26 ? 26 : 38,
              wordBreak: 'break-all',
              ...bold(INKS.ink, merchant.length > 26 ? 26 : 38),
            }}
          >
            {merchant}
          </div>
          <div
            style={{
              display: 'flex',
              alignItems: 'flex-end',
              gap: 18,
              padding: '30px 0',
              lineHeight: 1,
              borderTop: `3px dashed ${INKS.line}`,
              borderBottom: `3px dashed ${INKS.line}`,
            }}
          >
            <div style={{ display: 'flex', fontSize: size, letterSpacing: -3, ...bold(INKS.ink, size) }}>{sum}</div>
            <div style={{ display: 'flex', paddingBottom: size / 10, fontSize: 38, color: INKS.soft }}>{symbol}</div>
          </div>
          <div style={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', fontSize: 28 }}>
            <div style={{ display: 'flex', color: INKS.soft }}>{network}</div>
            <div style={{ display: 'flex', gap: 24 }}>
              {/* Test money must not pass for money, as on the page. */}
              {isTest ? <PictureStamp tone={INKS.warn}>TEST</PictureStamp> : null}
              <PictureStamp tone={state === 'Reversed' ? INKS.bad : INKS.good}>{state.toUpperCase()}</PictureStamp>
            </div>
          </div>
        </div>
        <TornEdge width={WIDTH} color={INKS.paper} />
      </div>
    </div>,
    { width: 1200, height: 630 },
  )
}
