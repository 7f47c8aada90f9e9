import { keyNameAmong } from '@/server/accounts/key-name'
import { isLow } from '../../client/credit-price-text'
import { titled } from '../../ui/badge'
import { Meter } from '../../ui/meter'
import type { Tenant } from './tenant-actions'

/** The name of a plan on screens. Agents have credits instead of a plan. */
export const planTitle = (plan: string): string => (plan === 'agent' ? 'Prepaid' : titled(plan))

type Props = { tenant: Pick<Tenant, 'quota' | 'credits' | 'name' | 'id'> }

/** The month's settlements; agents have credits instead. */
export function Quota({ tenant: { quota, credits, name, id } }: Props) {
  if (!quota) {
    if (!credits) return <span className="block text-sm leading-6 text-soft">No credits</span>
    const { left, bought } = credits
    return (
      <span className="grid gap-1" title={`Of ${bought.toLocaleString('en')} bought, live and test together`}>
        <span className="text-sm tabular-nums">
          {left.toLocaleString('en')} <span className="inline-block text-soft">{left === 1 ? 'credit' : 'credits'} left</span>
        </span>
        <Meter
          label={`Credits left of ${keyNameAmong({ id, name })}`}
          value={left}
          limit={bought}
          alarming={isLow(left, bought)}
        />
      </span>
    )
  }
  const { used, limit } = quota
  return (
    <span className="grid gap-1">
      <span className="text-sm tabular-nums xl:whitespace-nowrap">
        {used.toLocaleString('en')} <span className="inline-block text-soft">of {limit.toLocaleString('en')}</span>
      </span>
      <Meter label={`Quota of ${keyNameAmong({ id, name })}`} value={used} limit={limit} alarming={used >= limit} />
    </span>
  )
}
