import { expect, test } from 'vitest'
import { readKnownTransfer, readTransfer } from './evm-methods'

const ASSET = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const sweep = {
  method: 'batch-sweep',
  authorization: { from: ASSET, to: ASSET, value: '0' },
  signature: '0x',
  proof: 'key',
  claimed: '5',
}

test('a transfer that only a newer build can read is told from one that this one can', () => {
  expect(readKnownTransfer(sweep, ASSET)).toEqual(readTransfer(sweep, ASSET))
  expect(readKnownTransfer({ ...sweep, method: 'of a newer build' }, ASSET)).toBeNull()
  expect(readKnownTransfer({ ...sweep, claimed: 'in another form' }, ASSET)).toBeNull()
  expect(readKnownTransfer(null, ASSET)).toBeNull()
})
