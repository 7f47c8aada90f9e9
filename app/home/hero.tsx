import { Code } from '@/components/code/code'

const FACTS = [
  ['Base and Solana', 'USDC on both and on their testnets, with official x402 clients of versions 1 and 2.'],
  ['We pay the gas', 'You and your payers need only stablecoin. Payments go straight to your wallet.'],
  ['At most once', 'A signed transfer settles at most once, even after a crash. We never report an unknown outcome as failed.'],
  ['One URL to set', 'Any x402 middleware works. The sandbox needs no key.'],
] as const

/** The pitch, the code it takes and the main facts. `canTry` is whether visitors can make a payment here. */
export function Hero({ baseUrl, canTry }: { baseUrl: string; canTry: boolean }) {
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
              {canTry ? 'Try a payment' : 'See a payment'}
            </a>
          </div>
        </div>
        <Code code={twoLines(baseUrl)} name="In your server" language="typescript" />
      </div>
      <dl className="facts">
        {FACTS.map(([fact, text]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

// Same as in the full program below.
function twoLines(baseUrl: string): string {
  return `const facilitator = new HTTPFacilitatorClient({
  url: '${baseUrl}/sandbox',
})

app.use(paymentMiddleware(prices, payments))`
}
