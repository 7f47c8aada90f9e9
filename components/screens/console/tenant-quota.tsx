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

/** The month's settlements, of which words and bar say what is used; agents have credits instead, of which they say what is left. */
export function Quota({ tenant: { quota, credits, name, id }, unit }: Props) {
  const counted = quota ?? (credits && { used: credits.left, limit: credits.bought })
  if (!counted) return <span className="block text-sm leading-6 text-soft">No credits</span>
  const alarming = credits ? isLow(credits.left, credits.bought) : counted.used >= counted.limit
  return (
    <Used
      {...counted}
      label={`${quota ? 'Quota' : 'Credits left'} of ${keyNameAmong({ id, name })}`}
      unit={unit}
      alarming={alarming}
      words={credits && !unit ? `${credits.left.toLocaleString('en')} credits left` : undefined}
    />
  )
}

/** The month's verifications, or those that came with credits. Nothing without any. */
export function Verifications({ tenant: { verifications, ...named }, unit }: { tenant: Tenant; unit: string }) {
  if (!verifications) return null
  const { used, limit } = verifications
  return <Used {...verifications} label={`Verifications of ${keyNameAmong(named)}`} unit={unit} alarming={used >= limit} />
}

type Counted = { used: number; limit: number; alarming: boolean }

type UsedProps = Counted & Pick<Props, 'unit'> & { label: string; words?: string | undefined }

function Used({ used, limit, label, unit = '', alarming, words }: UsedProps) {
  return (
    <span className="grid gap-1">
      <span className={cx('min-w-0 truncate text-sm tabular-nums', alarming && 'text-bad')}>
        {words ?? (
          <>
            {used.toLocaleString('en')}{' '}
            <span className={alarming ? '' : 'text-soft'}>{`of ${limit.toLocaleString('en')}${unit}`}</span>
          </>
        )}
      </span>
      <Meter label={label} value={used} limit={limit} alarming={alarming} />
    </span>
  )
}
