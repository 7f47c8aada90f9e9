import { expect, test } from 'vitest'
import { ownerOrTenant } from './owner-and-tenant'

const ID = '0190a1b2-0000-7000-8000-00000000000A'

test('a UUID is a tenant, unless it is written as an owner; anything else is an owner', () => {
  expect(ownerOrTenant(ID)).toEqual({ owner: null, tenant: ID.toLowerCase() })
  expect(ownerOrTenant(`owner: ${ID}`)).toEqual({ owner: ID, tenant: null })
  expect(ownerOrTenant('demo-seed')).toEqual({ owner: 'demo-seed', tenant: null })
  expect(ownerOrTenant('')).toEqual({ owner: null, tenant: null })
})
