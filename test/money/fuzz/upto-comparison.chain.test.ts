import { describe, test } from 'vitest'
import { patience } from './runs'
import { comparedUpto } from './upto-comparison'

// `npm run test:long` makes more of them (`test/interop/official.upto.fuzz.long.test.ts`).
const compared = comparedUpto()

describe("the official facilitator's verdict on a few generated payments by upto and their charges", () => {
  test('equals ours, or is in the table of differences', () => compared.agree(25), patience(30))
})
