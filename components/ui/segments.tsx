import type { ReactNode } from 'react'
import { cx } from './class-names'

type Props<Value extends string> = {
  label: string
  value: Value | undefined
  options: readonly (readonly [value: Value, text: ReactNode])[]
  onChange: (value: Value) => void
  className?: string
}

/** A choice of a few visible options. */
export function Segments<Value extends string>({ label, value, options, onChange, className }: Props<Value>) {
  return (
    <fieldset aria-label={label} className={cx('inline-flex min-w-0 rounded-lg border bg-card p-0.5 text-sm', className)}>
      {options.map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => onChange(name)}
          className={cx(
            'flex h-7 grow items-center justify-center gap-1 rounded-md px-3 leading-5 whitespace-nowrap',
            name === value ? 'bg-wash font-medium text-accent' : 'text-soft hover:text-ink',
          )}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}
