import { keyNameAmong } from '@/server/accounts/key-name'
import { isLow } from '../../client/credit-price-text'
import { titled } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { Meter } from '../../ui/meter'
import type { Tenant } from './tenant-actions'

/** The name of a plan on screens. Agents have credits instead of a plan. */
export const planTitle = (plan: string): string => (plan === 'agent' ? 'Prepaid' : titled(plan))

type Props = {
  tenant: Pick<Tenant, 'quota' | 'credits' | 'name' | 'id'>
  /** What it counts, where it has a whole line. */
  note?: string
}

/** The month's settlements; agents have credits instead. Every bar fills with what is used. */
export function Quota({ tenant: { quota, credits, name, id }, note }: Props) {
  if (quota) {
    const { used, limit } = quota
    return (
      <Used
        label={`Quota of ${keyNameAmong({ id, name })}`}
        used={used}
        limit={limit}
        alarming={used >= limit}
        figure={used}
        words={`of ${limit.toLocaleString('en')}`}
        note={note}
      />
    )
  }
  if (!credits) return <span className="block text-sm leading-6 text-soft">No credits</span>
  const { left, bought } = credits
  return (
    <Used
      label={`Credits used of ${keyNameAmong({ id, name })}`}
      used={bought - left}
      limit={bought}
      alarming={isLow(left, bought)}
      title={`Of ${bought.toLocaleString('en')} bought, live and test together`}
      figure={left}
      words={`${left === 1 ? 'credit' : 'credits'} left`}
      note={note}
    />
  )
}

type UsedProps = {
  label: string
  used: number
  limit: number
  alarming: boolean
  title?: string
  figure: number
  words: string
  note: string | undefined
}

function Used({ label, used, limit, alarming, title, figure, words, note }: UsedProps) {
  return (
    <span className="grid gap-1" title={title}>
      <span
        className={cx(
          'tabular-nums',
          note === undefined ? 'text-sm xl:whitespace-nowrap' : 'flex flex-wrap justify-between gap-x-4',
        )}
      >
        <span>
          {figure.toLocaleString('en')} <span className="inline-block text-soft">{words}</span>
        </span>
        {note ? <span className="text-sm text-soft">{note}</span> : null}
      </span>
      <Meter label={label} value={used} limit={limit} alarming={alarming} />
    </span>
  )
}
