import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/button'
import { ACTIONS } from '../frame/actions'
import { LEAD } from '../frame/empty-page'
import { LiveReceipt } from './live-receipt'
import { mainNetworks, type Served, titlesOf, tokensOf } from './served'

const FACTS = [
  ['We pay the gas', 'You and your payers need only stablecoin. Payments go straight to your wallet.'],
  ['At most once', 'A signed transfer settles at most once, even after a crash. We never report an unknown outcome as failed.'],
  ['One URL to set', 'It works with any x402 middleware. The sandbox needs no key.'],
] as const

type Props = { merchantUrl: string | null; served: Served; proof: ReactNode }

/** The pitch, a receipt, the proof and the main facts. */
export function Hero({ merchantUrl, served, proof }: Props) {
  const networks = mainNetworks(served)
  const first = [
    titlesOf(networks) || 'Any x402 client',
    `${tokensOf(networks)}, also on test networks, with official x402 clients of versions 1 and 2.`,
  ] as const
  return (
    <>
      <div className="grid gap-[1.4rem] py-[clamp(1.6rem,4vw,3.6rem)_clamp(2rem,4vw,3.4rem)] md:grid-cols-[minmax(0,1fr)_23rem] md:items-center md:gap-8 min-[62rem]:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)] min-[62rem]:gap-[3.5rem]">
        <div className="grid gap-[1.4rem]">
          <h1>Get paid per request.</h1>
          <p className={LEAD}>
            Quittance verifies the <a href="https://www.x402.org">x402</a> payments to your HTTP API, settles them{' '}
            <span className="whitespace-nowrap">on-chain</span> in USDC and pays the gas.
          </p>
          <p className={ACTIONS}>
            <a className={buttonClass({ look: 'primary', size: 'large' })} href="#start">
              Start in the sandbox
            </a>
          </p>
        </div>
        <LiveReceipt merchantUrl={merchantUrl} />
      </div>
      {proof}
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-x-8 gap-y-[1.4rem] border-t py-[1.8rem]">
        {[first, ...FACTS].map(([fact, text]) => (
          <div key={fact} className="grid content-start gap-1">
            <dt className="font-[650] tracking-[-0.01em]">{fact}</dt>
            <dd className="text-[0.95rem] leading-normal text-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
