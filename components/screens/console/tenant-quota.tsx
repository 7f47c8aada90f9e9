import { keyNameAmong } from '@/server/accounts/key-name'
import { isLow } from '../../client/credit-price-text'
import { titled } from '../../ui/badge'
import { Meter } from '../../ui/meter'
import type { Tenant } from './tenant-actions'

/** The name of a plan on screens. Agents have credits instead of a plan. */
export const planTitle = (plan: string): string => (plan === 'agent' ? 'Prepaid' : titled(plan))

type Props = {
  tenant: Pick<Tenant, 'quota' | 'credits' | 'name' | 'id'>
  /** What the count is of, where it has a whole line. */
  unit?: string
  /** What stands at the other end of that line. */
  end?: string | undefined
}

/** The month's settlements; agents have credits instead. Words and bar say what is used. */
export function Quota({ tenant: { quota, credits, name, id }, unit = '', end }: Props) {
  const counted = quota ?? (credits && { used: credits.bought - credits.left, limit: credits.bought })
  if (!counted) return <span className="block text-sm leading-6 text-soft">No credits</span>
  return (
    <Used
      {...counted}
      label={`${quota ? 'Quota' : 'Credits used'} of ${keyNameAmong({ id, name })}`}
      unit={unit}
      end={end}
      alarming={credits ? isLow(credits.left, credits.bought) : counted.used >= counted.limit}
    />
  )
}

/** The month's verifications, or those that came with credits. Nothing without any. */
export function Verifications({ tenant: { verifications, ...named }, unit }: { tenant: Tenant; unit: string }) {
  if (!verifications) return null
  const { used, limit } = verifications
  return <Used {...verifications} label={`Verifications of ${keyNameAmong(named)}`} unit={unit} alarming={used >= limit} />
}

type UsedProps = Pick<Props, 'end'> & { used: number; limit: number; label: string; unit: string; alarming: boolean }

function Used({ used, limit, label, unit, end, alarming }: UsedProps) {
  return (
    <span className="grid gap-1">
      <span className="flex flex-wrap justify-between gap-x-4 tabular-nums">
        <span className="text-sm">
          {used.toLocaleString('en')} <span className="text-soft">{`of ${limit.toLocaleString('en')}${unit}`}</span>
        </span>
        {end ? <span className="text-sm text-soft">{end}</span> : null}
      </span>
      <Meter label={label} value={used} limit={limit} alarming={alarming} />
    </span>
  )
}
