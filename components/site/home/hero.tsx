import type { ReactNode } from 'react'
import { Code } from '../../ui/code/code'
import { mainNetworks, type Served, titlesOf, tokensOf } from './served'

const FACTS = [
  ['We pay the gas', 'You and your payers need only stablecoin. Payments go straight to your wallet.'],
  ['At most once', 'A signed transfer settles at most once, even after a crash. We never report an unknown outcome as failed.'],
  ['One URL to set', 'Any x402 middleware works. The sandbox needs no key.'],
] as const

// One paid request, as a caller sees it.
const EXCHANGE = [
  ['GET /weather', 'a caller without an account', null],
  ['402', '0.001 USDC, to your wallet', 'price'],
  ['GET /weather + signature', 'the caller signs', null],
  ['200', 'settled on-chain, we paid the gas', 'paid'],
] as const

/** The pitch, the code it takes, the proof and the main facts. */
export function Hero({ baseUrl, served, proof }: { baseUrl: string; served: Served; proof: ReactNode }) {
  const networks = mainNetworks(served)
  const first = [
    titlesOf(networks) || 'Any x402 client',
    `${tokensOf(networks)}, also on test networks, with official x402 clients of versions 1 and 2.`,
  ] as const
  return (
    <>
      <div className="hero">
        <div className="pitch">
          <h1>Get paid per request.</h1>
          <p className="lead">
            Quittance verifies the x402 payments to your HTTP API, settles them on-chain in USDC and pays the gas.
          </p>
          <div className="actions">
            <a className="button" href="#start">
              Start in the sandbox
            </a>
            <a className="button plain" href="#try">
              See a payment
            </a>
          </div>
        </div>
        <div className="shown">
          <Code code={fewLines(baseUrl)} name="In your server" language="typescript" />
          <ol className="exchange" aria-label="One paid request">
            {EXCHANGE.map(([line, text, kind]) => (
              <li key={line} className="exchange-step">
                <code className={kind === null ? 'exchange-line' : `exchange-line exchange-status ${kind}`}>{line}</code>
                <span className="exchange-about">{text}</span>
              </li>
            ))}
          </ol>
        </div>
      </div>
      {proof}
      <dl className="facts">
        {[first, ...FACTS].map(([fact, text]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

// An excerpt of the program in the quick start: keep both alike.
function fewLines(baseUrl: string): string {
  return `const facilitator = new HTTPFacilitatorClient({
  url: '${baseUrl}/sandbox',
})
const payments = new x402ResourceServer(facilitator)

app.use(paymentMiddleware(prices, payments))`
}
