import { Code } from '../../ui/code/code'

/** What a server adds to be paid. An excerpt of the program in the quick start: keep both alike. */
export function FewLines({ baseUrl }: { baseUrl: string }) {
  return <Code code={fewLines(baseUrl)} name="In your server" language="typescript" />
}

function fewLines(baseUrl: string): string {
  return `const facilitator = new HTTPFacilitatorClient({
  url: '${baseUrl}/sandbox',
})
const payments = new x402ResourceServer(facilitator)

app.use(paymentMiddleware(prices, payments))`
}
