import { paidAnswer, shownOffer, shownReceipt, unpaidAnswer } from '../../../client/programs/answers'
import { sandboxSale, serverVariants } from '../../../client/programs/merchants'
import { payerProgram } from '../../../client/programs/snippets'
import { Code } from '../../../ui/code/code'
import { CodeTabs } from '../../../ui/code/tabs'
import { DocsSection } from '../article'
import { guides } from '../pages'

/** Where the servers of this page sell. */
const WEATHER = 'http://localhost:8402/weather'

const [server, client, live] = guides.quickstart.sections

const json = (value: object): string => JSON.stringify(value, null, 2)

/** From nothing to the first paid request. */
export function Quickstart({ baseUrl }: { baseUrl: string }) {
  const sale = sandboxSale(baseUrl)
  return (
    <>
      <DocsSection section={server}>
        <p>
          Any x402 middleware works. You set one URL: the facilitator. The sandbox is free, uses test money and needs no account.
          Replace <code>0xYourAddress</code> with your wallet, and run the program.
        </p>
        <CodeTabs title="A paid server" variants={serverVariants(sale)} />
        <p>In another terminal, request the route without paying. Next.js usually listens on port 3000 instead.</p>
        <Code name="Check the server" code={`curl -i ${WEATHER}`} language="shellscript" />
        <p>
          The answer is 402. The header <code>PAYMENT-REQUIRED</code> contains your price. The body is empty; the Python program
          repeats the error there.
        </p>
        <Code name="You see" code={unpaidAnswer(sale, WEATHER)} language="text" />
        <Code name="PAYMENT-REQUIRED, decoded from base64" code={json(shownOffer(sale, WEATHER))} language="json" />
      </DocsSection>
      <DocsSection section={client}>
        <p>
          A client requests the route, gets a 402 with the price, signs a transfer and retries. The official client does this for
          you. Its wallet needs USDC on Base Sepolia, and no ether.
        </p>
        <Code name="pay.mjs" code={payerProgram(WEATHER)} language="typescript" />
        <p>
          Run it with the key of a test wallet. It prints <code>{'200 {"weather":"sunny"}'}</code>.
        </p>
        <Code name="Run it" code="PRIVATE_KEY=0x… node pay.mjs" language="shellscript" />
        <p>
          Your server sent this answer. The header <code>PAYMENT-RESPONSE</code> is the receipt: <code>transaction</code> is the
          transfer to your wallet.
        </p>
        <Code name="The answer" code={paidAnswer(sale)} language="text" />
        <Code name="PAYMENT-RESPONSE, decoded from base64" code={json(shownReceipt(sale))} language="json" />
        <p>
          No wallet at hand? <a href="/home#try">Try a payment</a> on the home page.
        </p>
      </DocsSection>
      <DocsSection section={live}>
        <ol>
          <li>
            <a href="/dashboard/keys?new=true">Create a key</a>. It is part of the URL: <code>{baseUrl}/v1/&lt;API_KEY&gt;</code>.
            Keep the URL secret.
          </li>
          <li>
            Replace the facilitator URL, and the network with <code>eip155:8453</code> (Base). In the Python program, also replace
            the address and the name of the token: see <a href="/docs/networks">networks</a>.
          </li>
          <li>
            Add a <a href="/docs/webhooks">webhook</a>, so that you learn the outcome of payments that take longer.
          </li>
        </ol>
        <p>
          The <a href="/dashboard/start">dashboard quick start</a> writes the programs with your key.
        </p>
      </DocsSection>
    </>
  )
}
