import { expect, test } from 'vitest'
import { presentPlans } from './present'

test('merchants see the limits of every plan and the prices that the operator set', () => {
  const planPrices = new Map([['starter', '29']])
  const { plans, contact } = presentPlans({ planPrices, planContact: 'mailto:sales@example.com' })
  expect(plans.map(({ name, price }) => [name, price])).toEqual([
    ['free', '0'],
    ['starter', '29'],
    ['growth', null],
    ['scale', null],
  ])
  expect(plans[2]).toMatchObject({ settlements: 100_000, flash: true })
  expect(contact).toBe('mailto:sales@example.com')
})
