import Link from 'next/link'
import { reasonTitle } from '@/server/x402/reasons/titles'
import { Time } from '../../client/time'

type Props = { id: string; at: string; reason: string; settlements: string }

/** The newest failure of a key, with its place in the list of settlements. */
export function LastFailure({ id, at, reason, settlements }: Props) {
  return (
    <>
      Last failure:{' '}
      <Link href={`${settlements}&id=${id}`} className="text-ink">
        {reasonTitle(reason)}
      </Link>{' '}
      <Time at={at} />
    </>
  )
}
