import { ChevronDown } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './class-names'

const BOX = 'h-10 w-full rounded-lg border bg-card px-3 text-ellipsis focus-visible:-outline-offset-1 aria-invalid:border-bad'

/** A text input with its label, and an error or a hint below it. */
export function TextField({
  label,
  error,
  hint,
  className,
  ...props
}: ComponentProps<'input'> & { label: string; error?: string | undefined; hint?: ReactNode }) {
  const id = useId()
  return (
    <div className={cx('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input id={id} {...props} className={BOX} aria-invalid={error !== undefined} aria-describedby={`${id}-note`} />
      <span id={`${id}-note`} className={cx('text-sm', error ? 'text-bad' : 'text-soft')}>
        {error ?? hint}
      </span>
    </div>
  )
}

/** A text of several lines with its label, and an error or a hint below it. */
export function TextArea({
  label,
  error,
  hint,
  className = 'font-mono text-sm',
  ...props
}: ComponentProps<'textarea'> & { label: string; error?: ReactNode; hint?: ReactNode }) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        {...props}
        className={cx(
          'w-full rounded-lg border bg-card px-3 py-1 leading-6 text-ink -outline-offset-1 aria-invalid:border-bad aria-invalid:outline-bad',
          className,
        )}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
      <div id={`${id}-note`} className={cx('text-sm', error ? 'text-bad' : 'text-soft')}>
        {error ?? hint}
      </div>
    </div>
  )
}

/** A select with a label for screen readers. */
export function Choice({
  label,
  options,
  ...props
}: ComponentProps<'select'> & { label: string; options: readonly (readonly [value: string, text: string])[] }) {
  return (
    <span className="relative inline-grid min-w-0">
      <select
        aria-label={label}
        {...props}
        className={cx('h-9 appearance-none truncate rounded-lg border bg-card pr-8 pl-3 disabled:opacity-60', props.className)}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-soft" />
    </span>
  )
}

/** A select with its label above it and a hint below it. */
export function ChoiceField({ hint, className, ...props }: ComponentProps<typeof Choice> & { hint?: ReactNode }) {
  const id = useId()
  return (
    <div className="grid content-start gap-1.5">
      <span aria-hidden className="text-sm font-medium">
        {props.label}
      </span>
      <Choice {...props} {...(hint ? { 'aria-describedby': id } : {})} className={cx('min-h-10 w-full', className)} />
      {hint ? (
        <span id={id} className="text-sm text-soft">
          {hint}
        </span>
      ) : null}
    </div>
  )
}
