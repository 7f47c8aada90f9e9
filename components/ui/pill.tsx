'use client'

import { ChevronDown, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { cx } from './class-names'

/** The classes of a filter: round, small, and tinted when it is set. */
function pillClass(isSet: boolean): string {
  return cx(
    'inline-flex h-8 shrink-0 items-center gap-1 rounded-full border text-sm leading-5 whitespace-nowrap transition-colors',
    isSet ? 'border-accent bg-wash text-accent' : 'bg-card hover:border-accent',
  )
}

type Props = Omit<ComponentProps<'select'>, 'value' | 'className'> & {
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  /** What it shows while it filters nothing; its label if not given. */
  unset?: string
  className?: string
}

/**
 * A filter as a pill as wide as its text: its label, and its value once set. With `unset` the value stands alone. An invisible native
 * select above it takes clicks, keys and the focus.
 */
export function Pill({ label, value, options, unset, className, ...props }: Props) {
  const isSet = value !== ''
  const chosen = options.find(([one]) => one === value)?.[1] ?? value
  const text = isSet ? `${unset === undefined ? `${label}: ` : ''}${chosen}` : (unset ?? label)
  return (
    <span
      className={cx(
        pillClass(isSet),
        'relative max-w-64 pr-2.5 pl-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        className,
      )}
    >
      <span aria-hidden className="truncate">
        {text}
      </span>
      <ChevronDown aria-hidden className={cx('size-3.5', !isSet && 'text-soft')} />
      <select
        aria-label={label}
        title={text}
        {...props}
        value={value}
        className="absolute inset-0 size-full cursor-pointer appearance-none bg-card text-ink opacity-0"
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}

/** A set filter that a click clears. */
export function ClearingPill({ text, clears, onClear }: { text: string; clears: string; onClear: () => void }) {
  return (
    <button type="button" onClick={onClear} title={text} className={cx(pillClass(true), 'max-w-64 pr-2.5 pl-3')}>
      <span className="truncate">{text}</span>
      <X aria-label={clears} className="size-3.5" />
    </button>
  )
}

type ChoicePillProps = {
  label: string
  /** What is chosen; null for nothing. */
  text: ReactNode
  onClear: () => void
  /** Loads the panel, before it opens. */
  onNear: () => void
  /** The panel of the values, below the button. */
  children: (button: HTMLButtonElement, close: () => void) => ReactNode
}

/** A filter of several values as a pill, which opens their panel, with a button that clears it. */
export function ChoicePill({ label, text, onClear, onNear, children }: ChoicePillProps) {
  const [open, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const isSet = text !== null
  return (
    <span className={cx(pillClass(isSet), 'max-w-64')}>
      <button
        ref={setButton}
        type="button"
        aria-expanded={open}
        aria-haspopup="dialog"
        onPointerEnter={onNear}
        onClick={() => setOpen(!open)}
        className={cx('flex h-full min-w-0 items-center gap-1 rounded-full pl-3', isSet ? 'pr-1' : 'pr-2.5')}
      >
        <span className="truncate">
          {label}
          {isSet ? <>: {text}</> : null}
        </span>
        {isSet ? null : <ChevronDown aria-hidden className="size-3.5 text-soft" />}
      </button>
      {isSet ? (
        <button type="button" onClick={onClear} className="grid h-full place-items-center rounded-full pr-2.5 pl-1">
          <X aria-label={`Clear ${label.toLowerCase()} filter`} className="size-3.5" />
        </button>
      ) : null}
      {open && button ? children(button, () => setOpen(false)) : null}
    </span>
  )
}

/** The option with this value; null for the empty option and unknown values. */
export function optionOf<T extends string>(
  options: readonly (readonly [value: T, text: string])[],
  value: string,
): Exclude<T, ''> | null {
  const found = options.map(([one]) => one).find((one): one is Exclude<T, ''> => one !== '' && one === value)
  return found ?? null
}
