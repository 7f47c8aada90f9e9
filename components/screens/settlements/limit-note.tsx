'use client'

import { useZone } from '../../client/zone'
import { Button } from '../../ui/button'
import { shortDate } from '../../ui/dates'
import type { OrderName } from './columns'

type Props = {
  /** The time up to which the page searched or ordered. */
  to: string
  /** How many settlements a page reads at most. */
  mostRead: number
  sort: OrderName
  onFurther: (() => void) | null
}

/** Says how far a page searched, and continues; or which settlements are ordered by amount. */
export function LimitNote({ to, mostRead, sort, onFurther }: Props) {
  const zone = useZone()
  const count = mostRead.toLocaleString('en')
  const when = shortDate(new Date(to), zone, new Date())
  const byAmount = sort === 'largest' || sort === 'smallest'
  return (
    <p role="status" className="mt-3 flex flex-wrap items-center justify-center gap-x-3 gap-y-2 text-center text-soft">
      {byAmount ? (
        <span>
          Only the newest {count} settlements are ordered by amount, back to {when}. Choose a range of time for older ones.
        </span>
      ) : (
        <>
          <span>
            Searched {count} settlements, {sort === 'oldest' ? 'up to' : 'back to'} {when}.
          </span>
          {onFurther ? (
            <Button size="small" onClick={onFurther}>
              Search further
            </Button>
          ) : null}
        </>
      )}
    </p>
  )
}
