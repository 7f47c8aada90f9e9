import { type Hex, slice } from 'viem'

/** The first bytes of a gas-capped batch: PUSH2 with the offset of the first record, then the loop. */
const BEGINNING = /^0x61([0-9a-f]{4})5b6005/

/** The calls in a gas-capped batch, decoded from its bytes. Null for other bytes. */
export function callsInCappedBatch(data: Hex): Hex[] | null {
  const first = BEGINNING.exec(data)?.[1]
  if (first === undefined) return null
  const bytes = (data.length - 2) / 2
  const calls: Hex[] = []
  // Each record: 3 bytes of gas, 2 bytes of length, the data.
  for (let at = Number.parseInt(first, 16); at < bytes; ) {
    const from = at + 5
    at = from + Number.parseInt(slice(data, at + 3, from), 16)
    calls.push(slice(data, from, at))
  }
  return calls
}
