import { readAddress, readTransaction } from '../x402/addresses'
import { symbolsOn, tokenNamed } from '../x402/networks/assets'
import { networkIds } from '../x402/networks/networks'
import { reasonGroups } from '../x402/reasons/titles'
import type { ListFilter } from './list-queries'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The filter behind a search. A whole transaction, address or id finds its settlements through an index. Any other text finds parts of
 * resources and reasons, amounts such as "0.01", and beginnings of ids, addresses and transactions.
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
  return { text: { part: text, beginning, reasons: reasonsNamed(text), amounts: amountsIn(text) } }
}

// Also as screens write it: "$0.01", "0.01 USDC".
const AMOUNT = /^\$?(\d{1,30})?(?:\.(\d{1,18}))?(?: ?([A-Za-z][A-Za-z0-9.]{0,15}))?$/

/** The amount that a text names, of each token that it may be of. */
function amountsIn(text: string) {
  const [, whole = '', fraction = '', symbol] = AMOUNT.exec(text) ?? []
  if (whole === '' && fraction === '') return []
  const digits = fraction.replace(/0+$/, '')
  return symbolsOn(networkIds)
    .filter((known) => symbol === undefined || known.toLowerCase() === symbol.toLowerCase())
    .map(tokenNamed)
    .filter(({ decimals }) => digits.length <= decimals)
    .map((token) => ({ symbol: token.symbol, amount: BigInt(whole + digits.padEnd(token.decimals, '0')).toString() }))
}

/** The reason codes whose title contains a text. */
function reasonsNamed(text: string): string[] {
  const part = text.toLowerCase()
  return reasonGroups.flatMap(({ title, codes }) => (title.toLowerCase().includes(part) ? codes : []))
}
