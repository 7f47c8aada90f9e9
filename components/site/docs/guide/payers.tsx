import { CREDIT_PRICE_TEXT } from '@/server/accounts/credit-texts'
import { agentCommands, agentProgram, payerProgram, signInMessage } from '../../../client/programs/snippets'
import { Code } from '../../../ui/code/code'
import { CodeTabs } from '../../../ui/code/tabs'
import { DocsSection } from '../article'
import { guides } from '../pages'

const [pay, agents, signIn] = guides['payers-and-agents'].sections

/** What payers and agents do. */
export function PayersAndAgents({ baseUrl }: { baseUrl: string }) {
  return (
    <>
      <DocsSection section={pay}>
        <p>
          The official client reads the 402, signs a transfer of the exact amount, and repeats the request. A signature pays one
          amount to one address, at most once, until it expires. You need USDC and no gas.
        </p>
        <Code name="pay.mjs" code={payerProgram('https://merchant.example/weather')} language="typescript" />
        <p>
          See your payments and receipts at <a href="/payments">/payments</a>. The <a href="/catalog">catalog</a> lists paid APIs.
        </p>
      </DocsSection>
      <DocsSection section={agents}>
        <p>
          An agent with a wallet needs no account. It buys credits with one paid request, gets a facilitator URL, and reads its
          balance with a signature. {CREDIT_PRICE_TEXT}. <a href="/llms.txt">/llms.txt</a> explains this to an agent.
        </p>
        <CodeTabs
          title="Buy, call, check"
          variants={[
            { label: 'TypeScript', name: 'agent.mjs', code: agentProgram(baseUrl), language: 'typescript' },
            { label: 'curl', name: 'Buy credits by hand', code: agentCommands(baseUrl), language: 'shellscript' },
          ]}
        />
        <p>
          Read the <a href="/docs/api/agents">routes for agents</a>. The owner of the wallet sees its keys and credits at{' '}
          <a href="/agent">/agent</a>.
        </p>
      </DocsSection>
      <DocsSection section={signIn}>
        <p>
          Strict EIP-4361: the host and origin of this service, an address with its EIP-55 checksum, and an expiry at most a week
          ahead. Solana wallets sign the same text with “Solana account”. You choose the nonce. A message is valid until it
          expires, so keep it short-lived.
        </p>
        <Code name="Ethereum" code={signInMessage(baseUrl, 'Ethereum')} language="text" />
        <Code name="Solana" code={signInMessage(baseUrl, 'Solana')} language="text" />
      </DocsSection>
    </>
  )
}
