import type { ReactNode } from 'react'
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
  unit?: string
  /** What stands at the other end of that line. */
  end?: ReactNode
  /** Whether it stands in a narrow column: in one line, and credits as those that are left. */
  narrow?: boolean
}

/** The month's settlements; agents have credits instead. Words and bar say what is used. */
export function Quota({ tenant: { quota, credits, name, id }, unit = '', end, narrow = false }: Props) {
  const counted = quota ?? (credits && { used: credits.bought - credits.left, limit: credits.bought })
  if (!counted) return <span className="block text-sm leading-6 text-soft">No credits</span>
  const alarming = credits ? isLow(credits.left, credits.bought) : counted.used >= counted.limit
  return (
    <Used
      {...counted}
      label={`${quota ? 'Quota' : 'Credits used'} of ${keyNameAmong({ id, name })}`}
      unit={unit}
      end={end}
      alarming={alarming}
      words={narrow ? <Narrow {...counted} left={credits?.left} alarming={alarming} /> : undefined}
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

function Narrow({ used, limit, left, alarming }: Counted & { left: number | undefined }) {
  return (
    <span className={cx('block truncate', alarming && 'text-bad')}>
      {left === undefined ? (
        <>
          {used.toLocaleString('en')} <span className={alarming ? '' : 'text-soft'}>of {shortCount(limit)}</span>
        </>
      ) : (
        `${left.toLocaleString('en')} credits left`
      )}
    </span>
  )
}

/** A count in a narrow column: round ones from ten thousand on in thousands. */
const shortCount = (count: number): string =>
  count >= 10_000 && count % 1_000 === 0 ? `${(count / 1_000).toLocaleString('en')}k` : count.toLocaleString('en')

type UsedProps = Counted & Pick<Props, 'end'> & { label: string; unit: string; words?: ReactNode }

function Used({ used, limit, label, unit, end, alarming, words }: UsedProps) {
  return (
    <span className="grid gap-1">
      <span className="flex flex-wrap justify-between gap-x-4 tabular-nums">
        <span className="min-w-0 text-sm">
          {words ?? (
            <>
              {used.toLocaleString('en')} <span className="text-soft">{`of ${limit.toLocaleString('en')}${unit}`}</span>
            </>
          )}
        </span>
        {end ? <span className="text-sm text-soft">{end}</span> : null}
      </span>
      <Meter label={label} value={used} limit={limit} alarming={alarming} />
    </span>
  )
}
