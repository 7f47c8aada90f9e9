import type { CatalogTotals } from '@/server/discovery/present'
import { shareText, usdc } from '../../ui/figures'

/** What the listed APIs came to, from the figures that the catalog publishes. Nothing without any. */
export function Proof({ totals }: { totals: CatalogTotals | null }) {
  if (totals === null) return null
  const { environment, resources, summed, calls, tries, volume } = totals
  const shown = [
    ['Settled', calls.toLocaleString('en'), 'paid calls'],
    ['Volume', usdc(String(volume)), 'USDC'],
    ['Success rate', shareText(calls / tries), 'settled'],
    ['In the catalog', resources.toLocaleString('en'), resources === 1 ? 'paid API' : 'paid APIs'],
  ] as const
  return (
    <section className="proof" aria-label="Settled through this service">
      <dl>
        {shown.map(([name, value, unit]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong className="proof-value">{value}</strong> {unit}
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        {environment === 'testnet' ? 'Test networks. ' : ''}
        {resources > summed ? `The ${summed} listed APIs with the highest volume` : 'APIs in the catalog'}, last 30 completed days
        (UTC). <a href="/catalog">Open the catalog</a>
      </p>
    </section>
  )
}
