import { readAddress, readTransaction } from '../x402/addresses'
import { reasonGroups } from '../x402/reasons/titles'
import type { ListFilter } from './list-queries'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The filter behind a search. A whole transaction, address or id finds its settlements through an index. Any other text finds parts of
 * resources and reasons, and beginnings of ids, addresses and transactions.
 */
export function readSearch(written: string): Pick<ListFilter, 'txHash' | 'party' | 'entry' | 'text'> {
  const text = written.trim()
  const txHash = readTransaction(text)
  if (txHash !== null) return { txHash }
  const party = readAddress(text)
  if (party !== null) return { party }
  if (UUID.test(text)) return { entry: text.toLowerCase() }
  // EVM hashes and addresses are stored in lower case, base58 as it is.
  const beginning = /^0x/i.test(text) ? text.toLowerCase() : text
  return { text: { part: `%${text.replace(/[\\%_]/g, '\\$&')}%`, beginning, reasons: reasonsNamed(text) } }
}

/** The reason codes whose title contains a text. */
function reasonsNamed(text: string): string[] {
  const part = text.toLowerCase()
  return reasonGroups.flatMap(({ title, codes }) => (title.toLowerCase().includes(part) ? codes : []))
}
