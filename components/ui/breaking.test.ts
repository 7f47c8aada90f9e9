import { expect, test } from 'vitest'
import { partsOf } from './breaking'

test.each([
  ['http://localhost:3000/v1/<your key>', ['http://localhost:3000/', 'v1/', '<your key>']],
  ['{prefix}/discovery/resources', ['{prefix}/', 'discovery/', 'resources']],
  ['/admin/tenants/{id}', ['/admin/', 'tenants/', '{id}']],
  ['node weather.mjs', ['node weather.mjs']],
  ['npm install @x402/core @x402/evm', ['npm install @x402/core @x402/evm']],
  ['invalid_exact_evm_scheme', ['invalid_', 'exact_', 'evm_', 'scheme']],
  ['YOUR_KEY', ['YOUR_KEY']],
])('%s breaks after its slashes and the underscores of a code only', (text, parts) => {
  expect(partsOf(text)).toEqual(parts)
})
