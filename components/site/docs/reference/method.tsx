import { cx } from '../../../ui/class-names'

const TONES: Record<string, string> = {
  POST: 'bg-warn-wash text-warn',
  PUT: 'bg-code text-ink',
  PATCH: 'bg-code text-ink',
  DELETE: 'bg-bad-wash text-bad',
}

/** The method of a request. */
export function Method({ name, className }: { name: string; className?: string }) {
  return (
    <span
      className={cx(
        'rounded-md px-2 py-[0.1rem] font-mono text-[0.8rem]/[1.5] font-[650]',
        TONES[name] ?? 'bg-wash text-accent',
        className,
      )}
    >
      {name}
    </span>
  )
}
