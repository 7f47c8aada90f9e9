import { expect, test } from 'vitest'
import { isSvmTerms, readRequired } from './terms'

const common = { scheme: 'exact', amount: '100000', maxTimeoutSeconds: 300 }
const base = {
  ...common,
  network: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  payTo: '0x9A676e781A523b5d0C0e43731313A708CB607508',
  extra: { name: 'USDC', version: '2' },
}
const solana = {
  ...common,
  network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  payTo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  extra: { feePayer: 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' },
}
const header = (accepts: unknown[], x402Version = 2) =>
  Buffer.from(JSON.stringify({ x402Version, resource: { url: 'https://é.test' }, accepts })).toString('base64')

test('terms keep all their fields, and terms that no wallet here can pay are dropped', () => {
  const [more, other] = [
    { ...base, more: true },
    { ...solana, extra: { ...solana.extra, memo: 'order 7' } },
  ]
  const unpayable = [{ ...base, network: solana.network }, { ...solana, extra: {} }, { ...base, amount: '1e5' }, null]
  const { resource, accepts } = readRequired(header([...unpayable, more, other]))
  expect({ resource, accepts }).toEqual({ resource: { url: 'https://é.test' }, accepts: [more, other] })
  expect(accepts.map(isSvmTerms)).toEqual([false, true])
})

test.each([header([base], 1), 'e30=', '%'])('%s is not an offer', (written) => {
  expect(() => readRequired(written)).toThrow()
})
