import { describe, test } from 'vitest'
import { comparedBatch } from './batch-comparison'
import { patience } from './runs'

// `npm run test:long` makes more of them (`test/interop/official.batch-settlement.fuzz.long.test.ts`).
const compared = comparedBatch()

describe("the official facilitator's verdict on a few generated payloads about channels", () => {
  test('equals ours, or is in the table of differences', () => compared.agree(40), patience(30))
})
