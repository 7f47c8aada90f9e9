import Ajv2020 from 'ajv/dist/2020'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { misfitOf } from './declared-schema'

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    input: {
      type: 'object',
      properties: {
        type: { type: 'string', const: 'http' },
        method: { type: 'string', enum: ['GET', 'HEAD'] },
        queryParams: {
          type: 'object',
          properties: { days: { type: ['integer', 'null'], pattern: '(a+)+$' } },
          required: ['days'],
        },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['type'],
      additionalProperties: false,
    },
  },
  required: ['input'],
}

const misfit = (input: unknown) => misfitOf({ input }, SCHEMA, 'info')?.text ?? null

describe('a declared value', () => {
  test.each([
    [{ type: 'http' }],
    [{ type: 'http', method: 'GET', queryParams: { days: 3, more: 'x' }, tags: ['a', 'b'] }],
    [{ type: 'http', queryParams: { days: null }, tags: [] }],
  ])('that fits its schema: %j', (input) => expect(misfit(input)).toBeNull())

  test.each([
    ['text', 'info.input must be of the type object'],
    [{}, 'info.input lacks type'],
    [{ type: 'mcp' }, 'info.input.type must be the constant of its schema'],
    [{ type: 'http', method: 'PUT' }, 'info.input.method must be a value that its schema names'],
    [{ type: 'http', queryParams: {} }, 'info.input.queryParams lacks days'],
    [{ type: 'http', queryParams: { days: '3' } }, 'info.input.queryParams.days must be of the type integer or null'],
    [{ type: 'http', tags: ['a', 7] }, 'info.input.tags.1 must be of the type string'],
    [{ type: 'http', body: {} }, 'info.input has body, which its schema excludes'],
  ])('that does not: %j', (input, why) => expect(misfit(input)).toBe(why))

  test('of PHP has an empty list for an empty object', () => {
    expect(misfitOf({ queryParams: [] }, { properties: { queryParams: { type: 'object' } } }, 'info')).toBeNull()
  })

  test('is not compared with a schema that would take long: no regular expression runs, and long lists end the check', () => {
    const long = { items: { enum: Array.from({ length: 2_000 }, (_, at) => at) } }
    const values = Array.from({ length: 2_000 }, () => -1)
    expect(misfitOf(values.slice(0, 5), long, 'info')?.text).toBe('info.0 must be a value that its schema names')
    expect(misfitOf(values.fill(1_999), long, 'info')?.text).toBe('info has a schema that is too long to check')
  })
})

const leaf = fc.oneof(fc.constantFrom('a', 'b', 1, 2, 1.5, true, null), fc.constant({ a: 1 }))
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any')),
  ),
})).any
const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
const schema = fc.letrec((tie) => ({
  any: fc.record(
    {
      type: fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 2 })),
      const: leaf,
      enum: fc.uniqueArray(leaf, { minLength: 1, maxLength: 3, comparator: 'SameValueZero' }),
      properties: fc.oneof({ maxDepth: 2 }, fc.constant({}), fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any'))),
      required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
      additionalProperties: fc.boolean(),
      items: fc.oneof({ maxDepth: 2 }, fc.constant({}), tie('any')),
    },
    { requiredKeys: [] },
  ),
})).any

test('the check agrees with a JSON Schema validator on the words that it reads', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  fc.assert(
    fc.property(value, schema, (declared, by) => {
      expect(misfitOf(declared, by, 'info') === null).toBe(ajv.validate(Object(by), declared))
    }),
    { numRuns: 500 },
  )
})
