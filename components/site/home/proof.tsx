import type { CatalogTotals } from '@/server/discovery/present'
import { USDC } from '@/server/x402/networks/assets'
import { headlineText, shareText } from '../../ui/figures'

/** What the listed APIs came to, from the figures that the catalog publishes. Nothing without any. */
export function Proof({ totals }: { totals: CatalogTotals | null }) {
  if (totals === null) return null
  const { environment, resources, summed, calls, tries, volume } = totals
  const shown = [
    ['Settled', calls.toLocaleString('en'), 'paid calls'],
    ['Volume', headlineText(String(volume), USDC), 'USDC'],
    ['Success rate', shareText(calls / tries), 'settled'],
    ['In the catalog', resources.toLocaleString('en'), resources === 1 ? 'paid API' : 'paid APIs'],
  ] as const
  return (
    <section className="grid gap-[0.9rem] border-t py-[1.6rem]" aria-label="Settled through this service">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(50%-1rem,11rem),1fr))] gap-x-8 gap-y-4 text-[0.9rem] text-soft">
        {shown.map(([name, value, unit]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong className="text-[1.6rem] font-[650] tracking-[-0.02em] tabular-nums text-ink">{value}</strong> {unit}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-[0.85rem] text-soft">
        {environment === 'testnet' ? 'Test networks. ' : ''}
        {resources > summed ? `The ${summed} listed APIs with the highest volume` : 'APIs in the catalog'}, last 30 completed days
        (UTC). <a href="/catalog">Open the catalog</a>
      </p>
    </section>
  )
}
