'use client'

import { Check } from 'lucide-react'
import Link from 'next/link'
import { figureNames, TITLES } from '../analytics/figure'
import { TEST_PAYMENT } from '../shell/screens'
import { buttonClass } from '../ui/button'
import { cx } from '../ui/class-names'
import { Example } from '../ui/example'
import { Panel, Problem, Skeleton } from '../ui/panel'
import { useFirstSteps } from './use-first-steps'

const STEPS = [
  {
    name: 'key',
    title: 'Create an API key',
    text: 'It is part of the facilitator URL that your server calls.',
    href: '/dashboard/start?step=key',
    action: 'Create a key',
  },
  {
    name: 'server',
    title: 'Answer 402 from your server',
    text: 'Copy a program that names a price. This step ends with the first payment that your server takes.',
    href: '/dashboard/start?step=server',
    action: 'Copy a program',
  },
  {
    name: 'payment',
    title: 'Make a test payment',
    text: 'Pay 0.001 USDC of test money through your key. No real money moves.',
    href: TEST_PAYMENT,
    action: 'Send a test payment',
  },
  {
    name: 'settled',
    title: 'See it settle',
    text: 'The payment appears in your settlements, with its transaction on the network.',
    href: '/dashboard/settlements',
    action: 'Open settlements',
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
      <div aria-hidden className="grid grid-cols-4 gap-1 px-4 pt-4">
        {STEPS.map(({ name }, at) => (
          <span key={name} className={cx('h-1 rounded-full', count !== null && at < count ? 'bg-accent' : 'bg-line')} />
        ))}
      </div>
      <ol aria-label="Steps" className="grid px-4 py-2">
        {STEPS.map(({ name, title, text, href }, at) => (
          <li key={name} className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3 py-2.5">
            <Mark number={at + 1} state={done?.[name] ? 'done' : name === next?.name ? 'next' : 'later'} />
            <span className="grid gap-0.5">
              <Link
                href={href}
                className={cx('w-fit py-0.5 no-underline hover:underline', done?.[name] ? 'text-soft' : 'font-medium text-ink')}
              >
                {title}
              </Link>
              <span className="text-[0.8125rem] text-soft">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      <footer className="flex min-h-16 items-center border-0 border-t border-solid border-line px-4 py-3">
        {next ? (
          <Link href={next.href} className={buttonClass({ look: 'primary' })}>
            {next.action}
          </Link>
        ) : (
          <Skeleton className="h-10 w-40" />
        )}
      </footer>
    </Panel>
  )
}

const MARKS = { done: 'bg-wash text-accent', next: 'bg-accent font-semibold text-paper', later: 'bg-code text-soft' } as const

function Mark({ number, state }: { number: number; state: keyof typeof MARKS }) {
  return (
    <span className={cx('grid size-7 place-items-center rounded-full text-xs tabular-nums', MARKS[state])}>
      {state === 'done' ? <Check role="img" aria-label="Done" className="size-4" /> : number}
    </span>
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
