import { type Hex, slice } from 'viem'

/** The first bytes of a gas-capped batch: PUSH2 with the offset of the first record, then the loop. */
const BEGINNING = /^0x61([0-9a-f]{4})5b6005/

/** The calls in a gas-capped batch, decoded from its bytes. Null for other bytes. */
export function callsInCappedBatch(data: Hex): Hex[] | null {
  const first = BEGINNING.exec(data)?.[1]
  return first === undefined ? null : recordsIn(data, Number.parseInt(first, 16)).map((record) => record.data)
}

/** The first bytes of a trial (`server/chains/evm/trials.ts`): the count of results, then as in a batch. */
const TRIAL_BEGINNING = /^0x5f61([0-9a-f]{4})5b6005/

/** The calls in a trial, each with its gas. Null for other bytes. */
export function callsInTrial(data: Hex): { gas: number; data: Hex }[] | null {
  const first = TRIAL_BEGINNING.exec(data)?.[1]
  return first === undefined ? null : recordsIn(data, Number.parseInt(first, 16))
}

/** The records from this position on. Each has 3 bytes of gas, 2 bytes of length, the data. */
function recordsIn(data: Hex, first: number): { gas: number; data: Hex }[] {
  const bytes = (data.length - 2) / 2
  const calls: { gas: number; data: Hex }[] = []
  for (let at = first; at < bytes; ) {
    const from = at + 5
    at = from + Number.parseInt(slice(data, at + 3, from), 16)
    calls.push({ gas: Number.parseInt(slice(data, from - 5, from - 2), 16), data: slice(data, from, at) })
  }
  return calls
}
