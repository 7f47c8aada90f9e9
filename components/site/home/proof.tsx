import type { CatalogTotals } from '@/server/discovery/present'
import type { ServiceRecord } from '@/server/operations/status/each-day'
import { USDC } from '@/server/x402/networks/assets'
import { duration, headlineText, percent } from '../../ui/figures'

/**
 * What the listed APIs came to, from the figures that the catalog publishes, and how our part of all payments went, from those of the status
 * page. Nothing without any.
 */
export function Proof({ totals, record }: { totals: CatalogTotals | null; record: ServiceRecord | null }) {
  if (totals === null) return null
  const { environment, resources, summed, calls, volume } = totals
  const shown = [
    ...ours(record),
    ['Paid calls', calls.toLocaleString('en')],
    ['Volume', headlineText(String(volume), USDC)],
  ] as const
  return (
    <section className="grid gap-[0.9rem] border-t py-[1.6rem]" aria-label="Settled through this service">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(50%-1rem,9.5rem),1fr))] gap-x-8 gap-y-4 text-[0.9rem] text-soft">
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="text-[1.6rem] leading-normal font-[650] tracking-[-0.02em] tabular-nums text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-[0.85rem] text-soft">
        {environment === 'testnet' ? 'Test networks. ' : ''}
        {resources > summed ? `The ${summed} listed APIs with the highest volume` : 'APIs in the catalog'}, last 30 completed days
        (UTC). <a href="/catalog">Open the catalog</a> · <a href="/status">See the status</a>
      </p>
    </section>
  )
}

/** How we served all valid payments. Too few say nothing. */
function ours(record: ServiceRecord | null): (readonly [name: string, value: string])[] {
  if (record === null || record.share === null) return []
  const share = ['Valid payments settled', percent(record.share)] as const
  return record.medianMs === null ? [share] : [share, ['Median settle time', duration(record.medianMs)]]
}
