import { expect, test } from 'vitest'
import { type Check, failed, NO_VERDICT, notReached, passed } from './checks'
import { headlineOf } from './headline'

const headline = (checks: Check[]) =>
  headlineOf({
    kind: 'payment_required',
    x402Version: 2,
    scheme: 'exact',
    network: null,
    fields: [],
    checks,
    verdict: NO_VERDICT,
  })

test('a 402 response can be paid only where all that its clients need was checked and holds', () => {
  const [header, body] = [passed('header', 'It is there.'), notReached('body', 'None was pasted.')]
  const offer = passed('header.accepts.0.offer', 'It asks for 0.001 USDC.')
  const unlisted = notReached('header.accepts.0.listing', 'It declares nothing.')
  expect(headline([header, body, offer, unlisted])).toBe('Clients of x402 version 2 can pay this')
  expect(headline([header, passed('body', 'It is there.'), offer])).toBe('Clients can pay this')
  expect(headline([header, body, offer, notReached('header.accepts.0.pay_to_account', 'No node answered.')])).toBe(
    'No check failed',
  )
  expect(headline([header, body, failed('header.accepts.0.offer', null, 'It cannot be read.')])).toBe('One check failed')
})
