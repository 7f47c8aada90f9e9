import { cx } from './class-names'

/** The mark of the logo: a torn receipt. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="var(--accent)" d="M6 3h20v26l-3.3-2.4L19.3 29 16 26.6 12.7 29l-3.4-2.4L6 29z" />
      <path
        fill="none"
        stroke="var(--paper)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="m10.8 14.6 3.6 3.6 6.8-7.4"
      />
    </svg>
  )
}

/** The logo, linked to the home page. */
export function Brand({ className }: { className?: string }) {
  return (
    <a
      href="/home"
      className={cx('inline-flex items-center gap-[0.6rem] font-[680] tracking-[-0.02em] text-inherit no-underline', className)}
    >
      <Mark className="size-[1.7rem]" />
      Quittance
    </a>
  )
}
