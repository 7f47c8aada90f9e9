import { expect, test } from 'vitest'
import { mailOf, requestFor } from './plan-request'

const key = { name: 'Production', prefix: 'qt_abc' }

test('a request names the key, its prefix and the wanted plan', () => {
  expect(requestFor({ ...key, plan: 'free', wanted: 'starter' }).text).toBe(
    'Please move the API key “Production” (qt_abc…) from Free to Starter.',
  )
})

test('a request without a wanted plan asks for higher limits', () => {
  expect(requestFor({ ...key, plan: 'scale', wanted: null }).text).toBe(
    'Please raise the limits of the API key “Production” (qt_abc…) above Scale.',
  )
})

test('a contact by mail carries the request, one by the web stays as it is', () => {
  const request = { subject: 'Plan Starter', text: 'Please & soon.' }
  expect(mailOf('mailto:sales@example.com', request)).toBe(
    'mailto:sales@example.com?subject=Plan%20Starter&body=Please%20%26%20soon.',
  )
  expect(mailOf('mailto:sales@example.com?cc=a@example.com', request)).toMatch(/\?cc=a@example\.com&subject=Plan/)
  expect(mailOf('https://example.com/plans', request)).toBeNull()
})
