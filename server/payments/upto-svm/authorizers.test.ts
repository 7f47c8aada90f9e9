import { expect, test } from 'vitest'
import { OPERATOR_TENANT } from '../../accounts/caller'
import { bytes32 } from '../../x402/encodings'
import { isSignedBy } from '../../x402/signatures'
import { createSvmAuthorizers } from './authorizers'

const [first, second] = ['the first secret of channels, long enough', 'the second secret of channels, long enough']
const of = (tenantId: string) => ({ tenantId, key: { id: 'key', version: 0 } })

test('a tenant has its own key on Solana, the same in every process with the secret', () => {
  const one = createSvmAuthorizers([first]).newest(of('a'))
  expect(one?.address).toBe(createSvmAuthorizers([first]).newest(of('a'))?.address)
  expect(one?.address).not.toBe(createSvmAuthorizers([first]).newest(of('b'))?.address)
  const message = Buffer.from('a voucher')
  const key = bytes32(one?.address ?? '')
  expect(key && isSignedBy(key, one?.sign(message) ?? new Uint8Array(), message)).toBe(true)
})

test('a new secret in front makes new keys, and the older ones still sign for their channels', () => {
  const before = createSvmAuthorizers([first]).newest(of('a'))?.address ?? ''
  const rotated = createSvmAuthorizers([second, first])
  expect(rotated.newest(of('a'))?.address).not.toBe(before)
  expect(rotated.at(of('a'), before)?.address).toBe(before)
  expect(rotated.at(of('b'), before)).toBeNull()
})

test('nobody has one without an API key, as the operator, or without a secret', () => {
  const authorizers = createSvmAuthorizers([first])
  expect(authorizers.newest({ tenantId: 'a', key: null })).toBeNull()
  expect(authorizers.newest(of(OPERATOR_TENANT))).toBeNull()
  expect(createSvmAuthorizers([]).newest(of('a'))).toBeNull()
})
