import { declareDiscoveryExtension } from '@x402/extensions/bazaar'
import { expect, test } from 'vitest'
import { declaredFields } from './declared-fields'

const accept = {
  scheme: 'exact' as const,
  network: 'eip155:8453',
  maxAmountRequired: '1',
  resource: 'https://a.com/x',
  description: '',
  mimeType: '',
  payTo: '0x1',
  maxTimeoutSeconds: 60,
  asset: '0x2',
  extra: {},
}

const declaring = (info: Record<string, unknown>, schema: Record<string, unknown> = {}) =>
  declaredFields({ accepts: [], extensions: { bazaar: { info, schema } } })

test('what the official extension declares becomes rows: type and meaning from the schema, the example from the values', () => {
  const { bazaar } = declareDiscoveryExtension({
    bodyType: 'json',
    input: { city: 'Lisbon', options: { days: 3 } },
    inputSchema: {
      properties: {
        city: { type: 'string', description: 'The name of a city' },
        options: { type: 'object', properties: { days: { type: 'integer' } } },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      required: ['city'],
    },
    output: { example: { weather: 'sunny', hours: [{ at: 9, rain: false }] } },
  })
  expect(declaring({ ...bazaar?.info }, { ...bazaar?.schema })).toEqual({
    inputs: [
      { part: 'body', name: 'city', type: 'string', isRequired: true, about: 'The name of a city', example: '"Lisbon"' },
      { part: 'body', name: 'options', type: 'object', isRequired: false, about: '', example: '' },
      { part: 'body', name: 'options.days', type: 'integer', isRequired: false, about: '', example: '3' },
      { part: 'body', name: 'unit', type: 'string', isRequired: false, about: '', example: '"celsius"' },
    ],
    outputs: [
      { part: '', name: 'weather', type: 'string', isRequired: false, about: '', example: '"sunny"' },
      { part: '', name: 'hours', type: 'array', isRequired: false, about: '', example: '' },
      { part: '', name: 'hours[].at', type: 'number', isRequired: false, about: '', example: '9' },
      { part: '', name: 'hours[].rain', type: 'boolean', isRequired: false, about: '', example: 'false' },
    ],
  })
})

test('version 1 declares fields in the place of values', () => {
  const outputSchema = {
    input: { type: 'http', method: 'GET', queryParams: { city: { type: 'string', description: 'A city', required: true } } },
    output: { type: 'object', properties: { weather: { type: 'string' } }, required: ['weather'] },
  }
  expect(declaredFields({ accepts: [{ ...accept, outputSchema }] })).toEqual({
    inputs: [{ part: 'query', name: 'city', type: 'string', isRequired: true, about: 'A city', example: '' }],
    outputs: [{ part: '', name: 'weather', type: 'string', isRequired: true, about: '', example: '' }],
  })
})

test('an unreadable declaration has no fields, and a long one has a bounded number', () => {
  for (const info of [{}, { input: 7, output: 'x' }, { input: { queryParams: [] }, output: { example: null } }])
    expect(declaring(info, { properties: { input: 'x' } })).toEqual({ inputs: [], outputs: [] })
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, 'x'.repeat(200)]))
  const { inputs } = declaring({ input: { queryParams: many } })
  expect(inputs).toHaveLength(60)
  expect(inputs[0]?.example.length).toBeLessThan(100)
})
