import type { ComponentProps } from 'react'
import { cx } from './class-names'

const LOOKS = {
  primary: 'bg-accent text-paper font-semibold hover:brightness-110',
  plain: 'bg-card text-ink border hover:border-accent aria-pressed:border-accent aria-pressed:bg-wash aria-pressed:text-accent',
  quiet: 'text-soft hover:text-ink hover:bg-code',
  danger: 'bg-card border text-bad hover:border-bad',
} as const

const SIZES = {
  small: 'h-8 px-3 text-sm leading-5',
  usual: 'h-10 px-4',
  icon: 'size-9',
  medium: 'px-[0.9rem] py-[0.36rem] text-[0.92rem] leading-[1.4] phone:px-[0.7rem] phone:text-[0.88rem]',
  large: 'px-[1.15rem] py-[0.62rem] text-[1rem] leading-[1.4] font-semibold',
} as const

type ButtonLook = { look?: keyof typeof LOOKS; size?: keyof typeof SIZES }

/** The classes of a button, also for links that look like one. */
export function buttonClass({ look = 'plain', size = 'usual' }: ButtonLook = {}): string {
  return cx(
    'inline-flex items-center justify-center gap-2 rounded-lg whitespace-nowrap no-underline transition-colors disabled:opacity-60 disabled:pointer-events-none',
    LOOKS[look],
    SIZES[size],
  )
}

/** A button. It submits a form only with `type="submit"`. */
export function Button({ look, size, className, ...props }: ComponentProps<'button'> & ButtonLook) {
  return (
    <button
      type="button"
      {...props}
      className={cx(buttonClass({ ...(look ? { look } : {}), ...(size ? { size } : {}) }), className)}
    />
  )
}
