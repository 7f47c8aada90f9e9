import type { ReactNode } from 'react'
import { CREDIT_PRICE, CREDITS_MIN } from '@/server/accounts/plans'
import { usdc } from '../ui/figures'
import { Empty, Panel } from '../ui/panel'

const least = usdc(String(BigInt(CREDITS_MIN) * CREDIT_PRICE))

/** What credits are, for a wallet that has none. */
export function Introduction({ action }: { action: ReactNode }) {
  return (
    <Panel>
      <Empty title="Your wallet can have a facilitator of its own" action={action}>
        Credits are prepaid settlements: 1,000 cost {usdc(String(1_000n * CREDIT_PRICE))} USDC, the least are {CREDITS_MIN} for{' '}
        {least} USDC, and five verifications come with each. The first purchase gives you a key, and no account is needed for it.
      </Empty>
      <dl className="grid border-0 border-t border-solid border-line sm:grid-cols-3">
        <Way name="Here">Choose how many, and sign the payment in a wallet of this browser. The key is shown at once.</Way>
        <Way name="By program">
          <code>POST /api/v1/agent/purchase</code> answers 402; an x402 client pays it by itself, from Base or Solana.
        </Way>
        <Way name="By an agent">
          Give it <a href="/llms.txt">/llms.txt</a>: how to buy, to call and to read the balance, in plain words.
        </Way>
      </dl>
    </Panel>
  )
}

function Way({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1 px-5 py-4">
      <dt className="font-medium">{name}</dt>
      <dd className="text-soft">{children}</dd>
    </div>
  )
}
