import { cx } from '../../ui/class-names'

type Sums = {
  /** What was deposited, atomic units, as the others. */
  balance: string
  claimed: string
  /** What vouchers were charged; for a payer, what they promise. */
  charged: string
}

type Props = Sums & { className?: string }

/** A deposit as a bar: what was claimed of it, what is charged and not claimed yet, and the rest. The figures stand near it. */
export function DepositBar({ balance, claimed, charged, className }: Props) {
  const [paid, owed] = depositParts({ balance, claimed, charged })
  return (
    <svg aria-hidden className={cx('block w-full overflow-hidden rounded-full bg-line', className ?? 'h-1.5')}>
      <rect width={`${paid}%`} height="100%" className="fill-accent" />
      <rect x={`${paid}%`} width={`${owed}%`} height="100%" className="fill-warn" />
    </svg>
  )
}

/** The percents of a deposit that were claimed, and that are charged beyond that. */
export function depositParts({ balance, claimed, charged }: Sums): [paid: number, owed: number] {
  const whole = BigInt(balance)
  const percentOf = (part: bigint) => (whole === 0n ? 0 : Number((min(part, whole) * 10_000n) / whole) / 100)
  const paid = percentOf(BigInt(claimed))
  return [paid, Math.max(0, percentOf(BigInt(charged)) - paid)]
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
