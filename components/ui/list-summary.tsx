import { cx } from './class-names'

/** What a list has, in one line above it: its parts with dots between them. It keeps its room while they are not known. */
export function ListSummary({ parts, className }: { parts: readonly (string | null)[] | null; className?: string }) {
  return (
    <p role="status" className={cx('min-h-5 text-sm text-soft tabular-nums', className)}>
      {parts?.filter((part) => part !== null).join(' · ')}
    </p>
  )
}

/** A number of things: "1 key", "1,204 keys", "10,000+ keys" if there are more than were counted. */
export function countedText(count: number, one: string, { many = `${one}s`, more = false } = {}): string {
  return `${count.toLocaleString('en')}${more ? '+' : ''} ${count === 1 && !more ? one : many}`
}
