import { Snippet } from '@/components/snippet'

const FACTS = [
  ['Base and Solana', 'USDC on both, and on their test networks, with official x402 clients of both versions.'],
  ['The gas is on us', 'You and your payers hold stablecoin and nothing else. It goes straight to your own wallet.'],
  ['Once, or never', 'A signed transfer settles at most once, whatever crashes; what is unknown is never told as failed.'],
  ['Two lines of code', 'Any x402 middleware works as it is: tell it one URL. The sandbox is open, without a key.'],
] as const

/** What this is, the two lines that it takes, and why here. `tries` says whether the page has a payment to be made and not only one to be seen. */
export function Hero({ baseUrl, tries }: { baseUrl: string; tries: boolean }) {
  return (
    <>
      <div className="hero">
        <div className="pitch">
          <h1>Get paid per request.</h1>
          <p className="lead">
            Quittance is a payment facilitator for HTTP APIs. Your server names a price, the caller signs a stablecoin transfer,
            and Quittance checks it, puts it on chain, pays the gas and tells you when the money is yours.
          </p>
          <div className="actions">
            <a className="button" href="#start">
              Start in the sandbox
            </a>
            <a href="#try">{tries ? 'Try a payment' : 'See a payment'}</a>
            <a href="#flow">How it works</a>
          </div>
        </div>
        <Snippet code={twoLines(baseUrl)} name="In your server" />
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

// As in the whole program further down.
function twoLines(baseUrl: string): string {
  return `const facilitator = new HTTPFacilitatorClient({
  url: '${baseUrl}/sandbox',
})

app.use(paymentMiddleware(prices, payments))`
}
