import { expect, test } from 'vitest'
import { callError as failed } from './calls'
import { explained, fieldError, formError } from './errors'

const refused = (path: string, problem: string) =>
  failed(`${path} ${problem}`, { code: 'BAD_REQUEST', httpStatus: 400, field: { path, problem } })

test('the error of a field stands at that field, as a sentence, and at no other', () => {
  expect(fieldError(refused('url', 'must begin with https://'), 'url')).toBe('Must begin with https://.')
  expect(fieldError(refused('payToAllow.2', 'must be an address'), 'payToAllow')).toBe('Line 3 must be an address.')
  expect(fieldError(refused('url', 'must begin with https://'), 'events')).toBeUndefined()
  expect(fieldError(failed('you have 10 live keys', { code: 'CONFLICT' }), 'url')).toBeUndefined()
})

test('an error of no field of a form stands above the form', () => {
  const full = failed('you have 10 live keys', { code: 'CONFLICT' })
  expect(formError(full, ['name'])).toBe(full)
  expect(formError(refused('name', 'must have at most 100 characters'), ['name'])).toBeNull()
  expect(formError(null, ['name'])).toBeNull()
})

test.each([
  [failed('sign in as a merchant', { code: 'UNAUTHORIZED' }), 'sign in', 'You are not signed in for this page.'],
  [failed('only administrators can see this', { code: 'FORBIDDEN' }), 'sign in', 'Only administrators can see this.'],
  [failed('Failed to fetch'), 'retry', 'The service did not answer.'],
  [failed('you have no webhook with this id', { code: 'NOT_FOUND' }), null, 'You have no webhook with this id.'],
  [
    failed('internal error; quote request id a1b2', { code: 'INTERNAL_SERVER_ERROR' }),
    'retry',
    'Something went wrong on our side.',
  ],
  [new Error('The wallet did not sign.'), 'retry', 'The wallet did not sign.'],
])('%s leads on by: %s', (error, way, title) => {
  expect(explained(error)).toMatchObject({ way, title })
})

test('an internal error names its request id', () => {
  const error = failed('internal error; quote request id a1b2', { code: 'INTERNAL_SERVER_ERROR' })
  expect(explained(error).advice).toContain('a1b2')
})
