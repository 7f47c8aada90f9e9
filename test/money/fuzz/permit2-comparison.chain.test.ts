import { describe, test } from 'vitest'
import { comparedPermit2 } from './permit2-comparison'
import { patience } from './runs'

// `npm run test:long` makes more of them (`test/interop/official.permit2.fuzz.long.test.ts`).
const compared = comparedPermit2()

describe("the official facilitator's verdict on a few generated payments by Permit2", () => {
  test('equals our verify verdict, or is in the table of differences', () => compared.agree(25), patience(30))
})
