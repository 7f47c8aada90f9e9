import type { Pending } from '@/server/history/present'
import { networkTitle } from '@/server/x402/networks/networks'
import { stateTitle } from '../../client/settlement-states'
import { Time } from '../../client/time'
import { amountText } from '../../ui/figures'
import { openingLink } from '../../ui/opening-row'
import { partsOf } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'

export type Opening = { onOpen: (id: string) => void; hrefOf: (id: string) => string }

/** A payment whose outcome is not known yet. */
export function PendingRow({ payment, onOpen, hrefOf }: Opening & { payment: Pending }) {
  const { id, amount, decimals, asset, resource, resourceName, network, createdAt, state, owner } = payment
  // Only administrators see owners.
  const whose = owner && owner.kind !== 'system' ? [shortened(owner.id)] : []
  const { host, path } = partsOf(resource)
  return (
    <li className="border-t">
      <a
        {...openingLink(() => onOpen(id), hrefOf(id))}
        data-opens={id}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2.5 text-ink no-underline hover:bg-code/60 md:grid-cols-[8rem_minmax(0,1fr)_minmax(0,14rem)_auto]"
      >
        <span className="font-medium tabular-nums max-md:order-2 max-md:text-right">
          {amountText(amount, decimals)} <span className="font-normal text-soft">{asset}</span>
        </span>
        <span title={resource} className="truncate max-md:order-1">
          {resourceName ?? (`${host}${path}` || 'Unnamed resource')}
        </span>
        <span className="truncate text-sm text-soft max-md:order-3">
          {[stateTitle(state), networkTitle(network), ...whose].join(' · ')}
        </span>
        <span className="text-right text-sm text-soft max-md:order-4">
          <Time at={createdAt} />
        </span>
      </a>
    </li>
  )
}
