import { cx } from '../../../ui/class-names'

/** By the first digit of a status. */
const TONES: Record<string, string> = {
  2: 'bg-wash text-accent',
  4: 'bg-warn-wash text-warn',
  5: 'bg-bad-wash text-bad',
}

/** An HTTP status in the color of its kind. */
export function Status({ status }: { status: string }) {
  return <code className={cx('rounded-md px-[0.45rem] py-[0.1rem] font-semibold', TONES[status[0] ?? ''])}>{status}</code>
}
