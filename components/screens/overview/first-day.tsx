'use client'

import Link from 'next/link'
import { DAY_MS } from '@/server/base/durations'
import { CARD_TITLES, figureNames } from '../../client/analytics/figure'
import { FIGURE_CELLS, figureCell, figureValue } from '../../client/analytics/figure-cells'
import { useMinute } from '../../client/clock'
import { Problem } from '../../client/problem'
import { LIVE_PAYMENT, TEST_PAYMENT } from '../../client/screen-list'
import { stepTitles, useFirstSteps } from '../../client/use-first-steps'
import { useSignedWallet, worksInTest } from '../../client/use-signed-wallet'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { dayText } from '../../ui/dates'
import { Example } from '../../ui/example'
import { ChangedNote } from '../../ui/figures'
import { Panel, Skeleton } from '../../ui/panel'
import { StepMark } from '../../ui/step-mark'
import { SAMPLES, VOLUMES } from './example'

const STEPS = [
  {
    name: 'key',
    text: 'Your server uses it to check and settle payments.',
    href: '/dashboard/start?step=key',
    action: 'Create a key',
  },
  {
    name: 'server',
    text: 'Copy a server that sets a price. Done when a route is paid for.',
    href: '/dashboard/start?step=server',
    action: 'Copy the server code',
  },
  {
    name: 'payment',
    text: 'Pay 0.001 USDC of test money through your key. It needs no server. Done when it settles.',
    href: TEST_PAYMENT,
    action: 'Send a test payment',
  },
] as const

/** The last step of a merchant whose keys work in Live only. */
const PAY_SERVER = {
  name: 'payment',
  text: 'Pay a route of your server with an x402 client. Done when it settles.',
  href: LIVE_PAYMENT,
  action: 'See how',
} as const

/** The overview before the first settlement: what to do, and where the figures will be. */
export function FirstDay() {
  return (
    <div className="grid gap-4">
      <FirstSteps />
      <ExampleFigures />
    </div>
  )
}

/** The way to the first payment as a checklist. The keys and settlements of the account say what is done. */
export function FirstSteps() {
  const { done, error, retry } = useFirstSteps()
  const tests = worksInTest(useSignedWallet())
  const steps = STEPS.map((step) => (step.name === 'payment' && !tests ? PAY_SERVER : step))
  const next = done && steps.find(({ name }) => !done[name])
  const count = done && steps.filter(({ name }) => done[name]).length
  if (error) return <Problem error={error} retry={retry} />
  return (
    <Panel
      title="Get your first payment"
      action={
        count === null ? (
          <Skeleton className="h-4 w-20" />
        ) : (
          <span className="text-sm whitespace-nowrap text-soft tabular-nums">
            {count} of {STEPS.length} done
          </span>
        )
      }
    >
      <ol aria-label="Steps" className="grid px-4 py-2">
        {steps.map(({ name, text, href, action }, at) => (
          <li
            key={name}
            className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3 py-2.5 sm:grid-cols-[1.75rem_minmax(0,1fr)_auto] sm:items-center"
          >
            <StepMark number={at + 1} state={done?.[name] ? 'done' : name === next?.name ? 'next' : 'later'} />
            <span className="grid gap-0.5">
              <Link
                href={href}
                className={cx('w-fit py-0.5 no-underline hover:underline', done?.[name] ? 'text-soft' : 'font-medium text-ink')}
              >
                {stepTitles[name]}
              </Link>
              <span className="text-sm text-soft">{text}</span>
            </span>
            {name === next?.name ? (
              <Link href={href} className={cx(buttonClass({ look: 'primary' }), 'w-fit max-sm:col-start-2')}>
                {action}
              </Link>
            ) : name === 'payment' && next?.name === 'server' && tests ? (
              // It needs no server of one's own.
              <Link href={href} className={cx(buttonClass(), 'w-fit max-sm:col-start-2')}>
                {action}
              </Link>
            ) : done && !done[name] ? (
              <Link href={href} className="w-fit py-1 text-sm max-sm:col-start-2">
                {action}
              </Link>
            ) : !done && at === 0 ? (
              <Skeleton className="h-10 w-36 max-sm:col-start-2" />
            ) : null}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const LATER = 'Your volume by day appears here after the first payments.'

/** What the figures will look like, in their place. */
function ExampleFigures() {
  return (
    <section aria-label="Figures">
      <p className="sr-only">{LATER}</p>
      <Example note={LATER}>
        <div className={FIGURE_CELLS}>
          {figureNames.map((name) => (
            <span key={name} className={figureCell(name)}>
              <span className="text-sm text-soft">{CARD_TITLES[name]}</span>
              <span className={figureValue(name)}>{SAMPLES[name].value}</span>
              <ChangedNote {...SAMPLES[name]} />
            </span>
          ))}
        </div>
        <div className="p-4">
          <ExampleBars />
        </div>
      </Example>
    </section>
  )
}

const TICKS = [2, 1, 0]
// Of the drawing, which stretches to its box.
const TOP = 2.4

// Every so many bars one has its day.
const NAMED = 4

function ExampleBars() {
  const now = useMinute()
  const dayAt = (at: number) => dayText(new Date(now - (VOLUMES.length - 1 - at) * DAY_MS).toISOString().slice(0, 10))
  return (
    <div className="grid h-36 grid-rows-[minmax(0,1fr)_1.25rem] grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-soft tabular-nums">
      <svg aria-hidden className="h-full w-7 overflow-visible">
        {TICKS.map((tick) => (
          <text key={tick} x="100%" y={yOf(tick)} dy="0.35em" textAnchor="end" fill="var(--soft)">
            {tick}
          </text>
        ))}
      </svg>
      <svg aria-hidden className="h-full w-full overflow-visible opacity-80">
        {TICKS.map((tick) => (
          <line key={tick} x2="100%" y1={yOf(tick)} y2={yOf(tick)} stroke="var(--line)" />
        ))}
        {VOLUMES.map((volume, at) => {
          const [x, width] = [`${((at + 0.15) / VOLUMES.length) * 100}%`, `${(0.7 / VOLUMES.length) * 100}%`]
          return <rect key={x} x={x} width={width} y={yOf(volume)} height={`${(volume / TOP) * 100}%`} fill="var(--accent)" />
        })}
      </svg>
      <svg aria-hidden className="col-start-2 h-full w-full overflow-visible">
        {VOLUMES.map((volume, at) =>
          at % NAMED === 1 ? (
            <text key={volume} x={`${((at + 0.5) / VOLUMES.length) * 100}%`} y="1.1em" textAnchor="middle" fill="var(--soft)">
              {at === VOLUMES.length - 1 ? 'Today' : dayAt(at)}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  )
}

const yOf = (value: number) => `${(1 - value / TOP) * 100}%`
