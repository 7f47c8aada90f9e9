import { concatHex, type Hex, padHex, size, sliceHex, toHex } from 'viem'

/** The call inside a capped call (`server/chains/evm/capped-calls.ts`), and how to encode its answer without running code. */
export type CappedParts = { to: Hex; data: Hex; answer: (returned: Hex) => Hex }

const [KEEP_AT, TO_AT, DATA_AT] = [11, 24, 63]

/** Decodes the creation code of a capped call. */
export function cappedParts(code: Hex): CappedParts {
  const keep = Number.parseInt(sliceHex(code, KEEP_AT, KEEP_AT + 2).slice(2), 16)
  return {
    to: sliceHex(code, TO_AT, TO_AT + 20),
    data: sliceHex(code, DATA_AT),
    answer(returned) {
      const head = padHex(size(returned) > keep ? sliceHex(returned, 0, keep) : returned, { size: keep, dir: 'right' })
      return concatHex([toHex(1, { size: 32 }), toHex(size(returned), { size: 32 }), head])
    },
  }
}
