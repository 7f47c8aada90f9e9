import { describe, test } from 'vitest'
import { comparedPermit2 } from '../money/fuzz/permit2-comparison'
import { patience } from '../money/fuzz/runs'

const compared = comparedPermit2()

describe("the official facilitator's verdict on a generated payment by Permit2", () => {
  test('equals our verify verdict, or is in the table of differences', () => compared.agree(150), patience(60))
})
