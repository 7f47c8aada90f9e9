import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { cx } from './class-names'
import { Copyable } from './copyable'

/** Something to mend, with the way there. `copies`: an address at the end of the text, to copy. */
export type Alert = { key: string; tone: 'bad' | 'warn'; text: string; copies?: string; href: string; action: string }

/** Alerts, each on its line. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <ul>
      {alerts.map(({ key, tone, text, copies, href, action }) => (
        <li
          key={key}
          className="flex min-h-[2.625rem] flex-wrap items-center justify-between gap-x-4 border-b px-4 py-1.5 last:border-b-0 max-sm:pt-3 max-sm:pb-1"
        >
          <span className="flex min-w-0 items-start gap-2">
            {/* As high as a line: it stands on the first one. */}
            <TriangleAlert aria-hidden className={cx('h-[1lh] w-4 shrink-0', tone === 'bad' ? 'text-bad' : 'text-warn')} />
            <span className="wrap-anywhere">
              {text} {copies ? <Copyable text={copies} shown={copies} label="address" /> : null}
            </span>
          </span>
          <Link href={href} className="inline-flex min-h-6 items-center text-sm max-sm:ml-6 max-sm:min-h-10">
            {action}
          </Link>
        </li>
      ))}
    </ul>
  )
}
