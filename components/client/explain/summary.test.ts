import { expect, test } from 'vitest'
import { type Explanation, NO_VERDICT, notReached, passed } from '@/server/explain/checks'
import { outcomeOf } from './check-track'
import { summaryOf } from './summary'

test('an offer in both versions is not counted twice', () => {
  const checks = ['header', 'body'].map((half) => passed(`${half}.accepts.0.offer`, 'It asks for 0.02 USDC (20000).'))
  const answer: Explanation = {
    kind: 'payment_required',
    headline: '',
    x402Version: 2,
    scheme: null,
    network: null,
    fields: [],
    checks,
    verdict: NO_VERDICT,
  }
  expect(summaryOf(answer, [])).toEqual({ tone: 'good', text: 'The first offer: It asks for 0.02 USDC.' })
})

test('a half of a 402 response that should be pasted still applies', () => {
  expect(outcomeOf(notReached('header', 'It was not pasted.', 'Paste it.'))).toBe('not_reached')
  expect(outcomeOf(notReached('header_and_body', 'Only one half was found.'))).toBe('not_applicable')
  expect(outcomeOf(notReached('header.accepts.0.listing', 'It is not listed.', 'List it.'))).toBe('not_applicable')
})
