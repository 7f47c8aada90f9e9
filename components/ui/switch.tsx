'use client'

import { cx } from './class-names'

type Props = { id: string; checked: boolean; disabled: boolean; onChange: (on: boolean) => void }

/** A switch that takes effect at once. Its label points to its `id`. */
export function Switch({ id, checked, disabled, onChange }: Props) {
  return (
    <button
      id={id}
      type="button"
      role="switch"
      aria-checked={checked}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className={cx('relative h-6 w-10 shrink-0 rounded-full border', checked ? 'bg-accent' : 'bg-code')}
    >
      <span
        className={cx(
          'absolute top-0.5 left-0.5 size-4.5 rounded-full transition-transform',
          checked ? 'translate-x-4 bg-paper' : 'bg-soft',
        )}
      />
    </button>
  )
}
