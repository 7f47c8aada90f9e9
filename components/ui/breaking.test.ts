import { expect, test } from 'vitest'
import { partsOf } from './breaking'

test.each([
  ['http://localhost:3000/v1/<API_KEY>', ['http://localhost:3000/', 'v1/', '<API_KEY>']],
  ['{prefix}/discovery/resources', ['{prefix}/', 'discovery/', 'resources']],
  ['/admin/tenants/{id}', ['/admin/', 'tenants/', '{id}']],
  ['node weather.mjs', ['node weather.mjs']],
  ['npm install @x402/core @x402/evm', ['npm install @x402/core @x402/evm']],
  ['invalid_exact_evm_scheme', ['invalid_', 'exact_', 'evm_', 'scheme']],
  ['YOUR_KEY', ['YOUR_KEY']],
  ['https://weather.demo.example/v1.2', ['https://weather.', 'demo.', 'example/', 'v1.2']],
  ['0x036CbD53842c5426634e7929541eC2318f3dCF7e', ['0x036CbD53842c5426634e', '7929541eC2318f3dCF7e']],
])('%s breaks after its slashes, the dots of a host and the underscores of a code, and a hash in its middle', (text, parts) => {
  expect(partsOf(text)).toEqual(parts)
})
