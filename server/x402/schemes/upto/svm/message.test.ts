import { expect, test } from 'vitest'
import { someAddress } from '../../../../../test/support/svm/forge'
import { decodeTransaction } from '../../exact/svm/transaction'
import { unsignedTransaction } from './message'

const [feePayer, blockhash, program, used] = [someAddress(), someAddress(), someAddress(), someAddress()]
const withData = (bytes: number) =>
  unsignedTransaction(feePayer, blockhash, [
    { program, accounts: [{ address: used, writes: true }], data: new Uint8Array(bytes).fill(7) },
  ])

test('a transaction is read as it was built', () => {
  const built = withData(200)
  const bytes = Buffer.concat([Uint8Array.of(1), new Uint8Array(64), built?.message ?? new Uint8Array()])
  const read = decodeTransaction(bytes.toString('base64'))
  expect(read).toMatchObject({ messageHash: built?.messageHash, accounts: built?.accounts, readonly: built?.readonly, blockhash })
  const called = read?.instructions.map(({ program: by, accounts, data }) => ({
    by,
    accounts,
    data: Buffer.from(data).toString('hex'),
  }))
  expect(called).toEqual([{ by: program, accounts: [used], data: '07'.repeat(200) }])
})

test('a transaction that is longer than a packet is none', () => {
  const most = Array.from({ length: 1_232 }, (_, bytes) => bytes).findLast((bytes) => withData(bytes) !== null) ?? 0
  const built = withData(most)
  expect(65 + (built?.message.length ?? 0)).toBe(1_232)
  expect(withData(most + 1)).toBeNull()
})
