import { isLow } from '@/server/accounts/credit-price'
import { keyNameAmong } from '@/server/accounts/key-name'
import { titled } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { Meter } from '../../ui/meter'
import type { Tenant } from './tenant-actions'

/** The name of a plan on screens. Agents have credits instead of a plan. */
export const planTitle = (plan: string): string => (plan === 'agent' ? 'Prepaid' : titled(plan))

/** The kinds of owners of a tenant, as screens call them. */
export const KINDS: Record<string, string> = { oidc: 'Merchant', wallet: 'Wallet' }

type Props = {
  tenant: Pick<Tenant, 'quota' | 'credits' | 'name' | 'id'>
  /** What the count is of, where it has a whole line. */
  unit?: string | undefined
}

/** What is used of the month's settlements, or of the credits that an agent bought. */
export function Quota({ tenant: { quota, credits, name, id }, unit }: Props) {
  const counted = quota ?? (credits && { used: Math.max(0, credits.bought - credits.left), limit: credits.bought })
  if (!counted || (credits && credits.bought === 0)) return <span className="block text-sm leading-6 text-soft">No credits</span>
  const alarming = credits ? isLow(credits.left, credits.bought) : counted.used >= counted.limit
  const label = `${quota ? 'Quota' : 'Credits used'} of ${keyNameAmong({ id, name })}`
  return <Used {...counted} label={label} unit={unit} alarming={alarming} />
}

/** The month's verifications, or those that came with credits. Nothing without any. */
export function Verifications({ tenant: { verifications, ...named }, unit }: { tenant: Tenant; unit: string }) {
  if (!verifications) return null
  const { used, limit } = verifications
  return <Used {...verifications} label={`Verifications of ${keyNameAmong(named)}`} unit={unit} alarming={used >= limit} />
}

type Counted = { used: number; limit: number; alarming: boolean }

type UsedProps = Counted & Pick<Props, 'unit'> & { label: string }

function Used({ used, limit, label, unit = '', alarming }: UsedProps) {
  return (
    <span className="grid gap-1">
      <span className={cx('min-w-0 truncate text-sm tabular-nums', alarming && 'text-bad')}>
        {used.toLocaleString('en')}{' '}
        <span className={alarming ? '' : 'text-soft'}>{`of ${limit.toLocaleString('en')}${unit}`}</span>
      </span>
      <Meter label={label} value={used} limit={limit} alarming={alarming} />
    </span>
  )
}
