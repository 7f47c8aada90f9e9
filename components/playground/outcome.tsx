import type { Bought } from './purchase'

/** How it goes with a payment. */
export type Run =
  | { state: 'idle' | 'going' }
  | { state: 'paid'; bought: Bought; milliseconds: number }
  | { state: 'stopped'; message: string }

/** What came of it: the resource and the transaction, or what went wrong and what to do. */
export function Outcome({ run }: { run: Run }) {
  return (
    <div>
      <div role="status">{run.state === 'paid' ? <Paid {...run} /> : null}</div>
      <div role="alert">{run.state === 'stopped' ? <p className="problem">{run.message}</p> : null}</div>
    </div>
  )
}

function Paid({ bought: { price, transaction, resource }, milliseconds }: { bought: Bought; milliseconds: number }) {
  return (
    <div className="paid">
      <p>
        <strong>{price}</strong>, paid in {milliseconds.toLocaleString('en')} ms, wallet and test money included.
      </p>
      <code>{resource}</code>
      <p>
        Transaction <code>{transaction}</code>
      </p>
      <p>
        <a href={`/dashboard/settlements?search=${transaction}`}>See it as the merchant does</a>: sign in as{' '}
        <code>sample-merchant</code>.
      </p>
    </div>
  )
}
