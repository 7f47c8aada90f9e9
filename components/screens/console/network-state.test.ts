import { expect, test } from 'vitest'
import { networkState } from './network-state'

const fit = { status: 'fit', calls: 1, failed: 0, medianMs: 3 } as const
const network = { contradiction: null, nodes: 'answers', endpoints: [fit, fit] } as const
const signers = (...of: Parameters<typeof networkState>[1] & object) => of

test.each([
  ['no signer that can send', network, signers({ status: 'low balance' }), ['bad', 'No signer ready']],
  ['one signer of two', network, signers({ status: 'ready' }, { status: 'stuck' }), ['warn', 'Signers: 1 of 2']],
  [
    'one endpoint of two',
    { ...network, endpoints: [fit, { ...fit, status: 'silent' as const }] },
    signers({ status: 'ready' }),
    ['warn', 'Endpoints: 1 of 2'],
  ],
  ['no node', { ...network, nodes: 'silent' as const }, signers({ status: 'ready' }), ['bad', 'RPC unreachable']],
  ['a contradiction', { ...network, contradiction: 'other chain' }, signers({ status: 'ready' }), ['bad', 'Refused']],
  ['signers that begin', network, signers({ status: 'starting' }), ['plain', 'Starting']],
  ['signers of another instance', network, signers({ status: 'leased elsewhere' }), ['good', 'Healthy']],
  ['no signers', network, signers(), ['good', 'Healthy']],
  ['unknown signers', network, undefined, ['good', 'RPC healthy']],
] as const)('the head of a network shows its worst state: %s', (_what, status, senders, shown) => {
  expect(networkState({ ...status, endpoints: [...status.endpoints] }, senders)).toEqual(shown)
})
