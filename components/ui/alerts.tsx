import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { buttonClass } from './button'
import { cx } from './class-names'
import { Copyable } from './copyable'

/** Something to mend, with the way there. `copies`: an address at the end of the text, to copy. */
export type Alert = { key: string; tone: 'bad' | 'warn'; text: string; copies?: string; href: string; action: string }

/** What needs attention, above the rest of a screen; nothing where all is well. */
export function Attention({ alerts }: { alerts: readonly Alert[] }) {
  if (alerts.length === 0) return null
  return (
    <section aria-label="Needs attention" className="mb-4 panel">
      <Alerts alerts={alerts} />
    </section>
  )
}

/** Alerts, each on its line. */
export function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  return (
    <ul>
      {alerts.map(({ key, tone, text, copies, href, action }) => (
        <li
          key={key}
          className={cx(
            'flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-1.5 first:rounded-t-xl last:rounded-b-xl last:border-b-0 max-sm:py-3',
            tone === 'bad' ? 'bg-bad-wash' : 'bg-warn-wash',
          )}
        >
          <span className="flex min-w-0 items-start gap-2">
            {/* As high as a line: it stands on the first one. */}
            <TriangleAlert aria-hidden className={cx('h-[1lh] w-4 shrink-0', tone === 'bad' ? 'text-bad' : 'text-warn')} />
            <span className="wrap-anywhere">
              {text} {copies ? <Copyable text={copies} shown={copies} label="address" /> : null}
            </span>
          </span>
          <Link href={href} className={cx(buttonClass({ size: 'small' }), 'max-sm:ml-6')}>
            {action}
          </Link>
        </li>
      ))}
    </ul>
  )
}
