import { recoverAddress } from 'viem'
import { expect, test } from 'vitest'
import { OPERATOR_TENANT } from '../../accounts/caller'
import { createAuthorizers } from './authorizers'

const [first, second] = ['the first secret of channels, long enough', 'the second secret of channels, long enough']
const of = (tenantId: string) => ({ tenantId, key: { id: 'key', version: 0 } })

test('a tenant has its own key, the same in every process with the secret', async () => {
  const one = createAuthorizers([first]).newest(of('a'))
  expect(one?.address).toBe(createAuthorizers([first]).newest(of('a'))?.address)
  expect(one?.address).not.toBe(createAuthorizers([first]).newest(of('b'))?.address)
  const hash = `0x${'ab'.repeat(32)}` as const
  const signature = one?.sign(hash) ?? '0x'
  expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(one?.address)
})

test('a new secret in front makes new keys, and the older ones still sign for their channels', () => {
  const before = createAuthorizers([first]).newest(of('a'))
  const rotated = createAuthorizers([second, first])
  expect(rotated.newest(of('a'))?.address).not.toBe(before?.address)
  expect(rotated.at(of('a'), before?.address ?? '0x')?.address).toBe(before?.address)
  expect(rotated.at(of('b'), before?.address ?? '0x')).toBeNull()
})

test('nobody has one without an API key, as the operator, or without a secret', () => {
  const authorizers = createAuthorizers([first])
  expect(authorizers.newest({ tenantId: 'a', key: null })).toBeNull()
  expect(authorizers.newest(of(OPERATOR_TENANT))).toBeNull()
  expect(createAuthorizers([]).newest(of('a'))).toBeNull()
})
