import * as nuqs from 'nuqs/server'
import { expect, test } from 'vitest'
import { type Filter, filterOf, filterParsers } from './filter-parsers'
import { queryOf } from './use-filters'

const read = nuqs.createLoader(filterParsers(nuqs))

const KEYS = ['6f1f4f0a-5f83-4c4e-8f3f-0a6d5d5b9a01', '6f1f4f0a-5f83-4c4e-8f3f-0a6d5d5b9a02']

test('a URL keeps every filter with all its values, also resources with commas and signs', () => {
  const filter: Filter = {
    status: 'failed',
    network: ['eip155:8453', 'eip155:84532'],
    from: '2026-11-01T00:00:00.000Z',
    reason: ['unknown', 'network_mismatch'],
    key: KEYS,
    resource: ['https://a.test/x,y?z=1&b=2', 'https://a.test/%2C'],
    payer: ['0x857b06519E91e3A54538791bDbb0E22373e36b66', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'],
    recipient: ['0x209693Bc6afc0C5328bA36FaF03C514EF312287C'],
    search: '0.01',
  }
  expect(filterOf(read(queryOf(filter)))).toEqual(filter)
})

test('a link with one value of a filter, as earlier versions wrote it, has that one', () => {
  const query = `?network=eip155:8453&key=${KEYS[0]}&payer=0xab&resource=https://a.test/x,y&reason=unknown`
  expect(filterOf(read(query))).toEqual({
    network: ['eip155:8453'],
    key: [KEYS[0]],
    payer: ['0xab'],
    resource: ['https://a.test/x,y'],
    reason: ['unknown'],
  })
})

test('unknown networks and malformed keys are left out', () => {
  expect(filterOf(read('?network=eip155:1,eip155:8453&key=x'))).toEqual({ network: ['eip155:8453'] })
})
