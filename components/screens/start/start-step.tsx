import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { StepMark, type StepState } from '../../ui/step-mark'

type Props = {
  /** Its fragment in the URL. */
  id: string
  number: number
  title: string
  state: StepState
  /** What stands in the line of a finished step. */
  summary: ReactNode
  open: boolean
  onToggle: (open: boolean) => void
  /** Whether a link leads to this step. */
  linked: boolean
  children: ReactNode
}

/** A step of the quick start. A finished one can collapse to its line. */
export function StartStep({ id: fragment, number, title, state, summary, open, onToggle, linked, children }: Props) {
  const id = useId()
  const done = state === 'done'
  const step = useRef<HTMLLIElement>(null)
  const wasOpen = useRef(open)
  useEffect(() => {
    if (!linked) return
    step.current?.focus({ preventScroll: true })
    step.current?.scrollIntoView()
  }, [linked])
  // What had the focus may have gone with the content.
  useEffect(() => {
    if (wasOpen.current && !open && document.activeElement === document.body) step.current?.focus()
    wasOpen.current = open
  }, [open])
  return (
    <li ref={step} id={fragment} tabIndex={-1} className="min-w-0 scroll-mt-20 outline-none lg:scroll-mt-4">
      <header
        className={cx('grid min-h-14 grid-cols-[1.75rem_minmax(0,1fr)_auto] items-center gap-3 px-4 py-2', open && 'border-b')}
      >
        <StepMark number={number} state={state} />
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <h2 className={done ? 'font-medium' : 'font-semibold'}>{title}</h2>
          {done ? <span className="min-w-0 text-sm text-soft">{summary}</span> : null}
        </div>
        {done ? (
          <Button
            look="quiet"
            size="icon"
            className="max-sm:size-10"
            aria-expanded={open}
            aria-controls={id}
            aria-label={`${open ? 'Hide' : 'Show'} ${title}`}
            onClick={() => onToggle(!open)}
          >
            <ChevronDown aria-hidden className={cx('size-4 transition-transform', open && 'rotate-180')} />
          </Button>
        ) : null}
      </header>
      <div id={id} hidden={!open}>
        {open ? children : null}
      </div>
    </li>
  )
}
