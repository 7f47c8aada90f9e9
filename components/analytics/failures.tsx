import { causeOf, remedyFor } from '../settlements/why'
import { List } from './line-list'

type Props = {
  reasons: readonly { reason: string; count: number }[] | undefined
  /** Whether codes stand for the remedies, some of which ask the reader to tell the operator. */
  codes: boolean
  hrefOf: (reason: string) => string
}

/** The reasons of failures with their remedies or codes; each links to its settlements. */
export function Failures({ reasons, codes, hrefOf }: Props) {
  const lines = reasons?.map(({ reason, count }) => ({
    key: reason,
    name: causeOf(reason),
    note: codes ? reason : remedyFor(reason),
    value: count.toLocaleString('en'),
    href: hrefOf(reason),
  }))
  return <List lines={lines} empty="No failures." />
}
