'use client'

import { useState } from 'react'
import { cx } from './class-names'

type Props = {
  label: string
  value: string
  /** What a text means, in full; null if it means nothing. */
  read: (text: string) => string | null
  /** How it shows the value until it is edited; it reads that text too. */
  format?: (value: string) => string
  /** A text that it reads. */
  example: string
  wrong?: boolean
  onChange: (value: string) => void
  className?: string
}

/** A text input for a value with a fixed form. A text in full applies at once; a shorter one on Enter or when the focus leaves. */
export function TypedField({ label, value, read, format, example, wrong = false, onChange, className }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const known = typed === null ? value : read(typed)
  const type = (text: string) => {
    setTyped(text)
    if (read(text) === text) onChange(text)
  }
  const finish = () => {
    if (known !== null && known !== value) onChange(known)
    setTyped(null)
  }
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      aria-label={label}
      aria-invalid={wrong || (known === null && typed !== '')}
      title={`As ${example}`}
      placeholder={example}
      value={typed ?? (value && format ? format(value) : value)}
      onChange={({ target }) => type(target.value)}
      onBlur={finish}
      onKeyDown={({ key }) => (key === 'Enter' ? finish() : undefined)}
      className={cx('h-full text-sm tabular-nums placeholder:text-soft aria-invalid:text-bad', className)}
    />
  )
}
