'use client'

import Link from 'next/link'
import { figureNames, TITLES } from '../analytics/figure'
import { TEST_PAYMENT } from '../shell/screens'
import { buttonClass } from '../ui/button'
import { cx } from '../ui/class-names'
import { Example } from '../ui/example'
import { Panel, Problem, Skeleton } from '../ui/panel'
import { StepMark } from './start-step'
import { stepTitles, useFirstSteps } from './use-first-steps'

const STEPS = [
  {
    name: 'key',
    text: 'It is part of the facilitator URL that your server calls.',
    href: '/dashboard/start?step=key',
    action: 'Create a key',
  },
  {
    name: 'server',
    text: 'Copy a program that names a price. This step ends with the first payment that your server takes.',
    href: '/dashboard/start?step=server',
    action: 'Copy a program',
  },
  {
    name: 'payment',
    text: 'Pay 0.001 USDC of test money through your key. No real money moves.',
    href: TEST_PAYMENT,
    action: 'Send a test payment',
  },
] as const

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
  const next = done && STEPS.find(({ name }) => !done[name])
  const count = done && STEPS.filter(({ name }) => done[name]).length
  if (error) return <Problem error={error} retry={retry} />
  return (
    <Panel
      title="Get your first payment"
      action={
        count === null ? (
          <Skeleton className="h-4 w-20" />
        ) : (
          <span className="text-[0.8125rem] whitespace-nowrap text-soft tabular-nums">
            {count} of {STEPS.length} done
          </span>
        )
      }
    >
      <ol aria-label="Steps" className="grid px-4 py-2">
        {STEPS.map(({ name, text, href, action }, at) => (
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
              <span className="text-[0.8125rem] text-soft">{text}</span>
            </span>
            {name === next?.name ? (
              <Link href={href} className={cx(buttonClass({ look: 'primary' }), 'w-fit max-sm:col-start-2')}>
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

/** What the figures will look like, in their place. */
function ExampleFigures() {
  return (
    <section aria-label="Figures" className="grid gap-2">
      <p className="m-0 px-4 text-[0.8125rem] text-soft">Your settlements by day appear here after the first payment.</p>
      <Example>
        <div className="grid grid-cols-2 border-0 border-b border-solid border-line sm:grid-cols-3 lg:grid-cols-5">
          {figureNames.map((name) => (
            <span key={name} className="grid gap-2 px-4 py-3.5 max-sm:last:col-span-2">
              <span className="text-[0.8125rem] text-soft">{TITLES[name]}</span>
              <span className="h-5 w-16 rounded bg-code" />
            </span>
          ))}
        </div>
        <svg aria-hidden viewBox="0 0 600 200" preserveAspectRatio="none" className="block h-64 w-full p-4">
          {[0.5, 50, 100, 150, 199.5].map((y) => (
            <line key={y} x2="600" y1={y} y2={y} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          ))}
          <path d={`${LINE} V200 H0 Z`} fill="var(--accent)" opacity="0.1" />
          <path
            d={LINE}
            fill="none"
            stroke="var(--accent)"
            strokeWidth="2"
            strokeDasharray="5 4"
            opacity="0.6"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </Example>
    </section>
  )
}

const LINE = 'M0 176 C60 170 80 140 130 146 S210 160 250 118 S330 96 370 104 S450 74 490 62 S560 40 600 26'
