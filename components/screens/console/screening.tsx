import Link from 'next/link'
import { Badge, titled } from '../../ui/badge'
import type { OperationsStatus } from './operations-status'

type Props = Pick<OperationsStatus, 'screening'>

/** Leads to screening if production has none. */
export function ScreeningMark({ screening: { production } }: Props) {
  if (production === 'answers') return null
  return (
    <Link href="/console/networks#screening" className="inline-flex min-h-6 items-center no-underline">
      <Badge tone={SCREENING[production][0]}>Screening {production === 'off' ? 'off' : 'unreachable'}</Badge>
    </Link>
  )
}

const SCREENING = {
  off: ['warn', 'off'],
  answers: ['good', 'on'],
  silent: ['bad', 'unreachable, payments refused'],
} as const

/** What screening does, whether it is on, and how to turn it on. */
export function Screening({ screening }: Props) {
  const { production, sandbox } = screening
  const same = production === sandbox
  return (
    <section id="screening" aria-label="Screening" className="mt-4 grid scroll-mt-20 gap-1 panel px-4 py-2.5 lg:scroll-mt-4">
      <div className="flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="font-semibold">Screening</h2>
        {Object.entries(same ? { all: production } : screening).map(([laneClass, health]) => (
          <Badge key={laneClass} tone={SCREENING[health][0]}>
            {titled(same ? SCREENING[health][1] : `${laneClass}: ${SCREENING[health][1]}`)}
          </Badge>
        ))}
      </div>
      <p className="text-sm text-soft">
        Refuses payments from or to addresses that your KYT service flags.
        {production === 'off' || sandbox === 'off' ? (
          <>
            {' '}
            Set <code>KYT_URL</code> and remove <code>KYT=off</code> to turn it on.
          </>
        ) : null}
      </p>
    </section>
  )
}
