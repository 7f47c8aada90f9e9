import { describe, test } from 'vitest'
import { comparedBatch } from '../money/fuzz/batch-comparison'
import { patience } from '../money/fuzz/runs'

const compared = comparedBatch()

describe("the official facilitator's verdict on a generated payload about a channel", () => {
  test('equals ours, or is in the table of differences', () => compared.agree(300), patience(60))
})
