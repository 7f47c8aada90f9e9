import { describe, test } from 'vitest'
import { patience } from '../money/fuzz/runs'
import { comparedUpto } from '../money/fuzz/upto-comparison'

const compared = comparedUpto()

describe("the official facilitator's verdict on a generated payment by upto, and on its charge", () => {
  test('equals ours, or is in the table of differences', () => compared.agree(150), patience(60))
})
