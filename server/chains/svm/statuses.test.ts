import { describe, expect, test } from 'vitest'
import { fakeNode } from '../../../test/support/nodes/scripted-node'
import { cluster, inSlot, svmRpcTo } from '../../../test/support/svm/fake-cluster'
import { readStatuses } from './statuses'

const entry = { slot: 390, confirmations: 3, err: null, status: { Ok: null }, confirmationStatus: 'confirmed' }

async function read(value: unknown, signatures = ['a']) {
  const node = await fakeNode(cluster({ getSignatureStatuses: inSlot(value) }))
  return readStatuses(svmRpcTo(node.url), signatures, false)
}

describe('where a transaction stands', () => {
  test('is read at each commitment, failed or not, and null where the node does not know it', async () => {
    const failed = {
      ...entry,
      err: { InstructionError: [2, { Custom: 1 }] },
      confirmationStatus: 'finalized',
      confirmations: null,
    }
    const fresh = { ...entry, slot: 399, confirmations: 0, confirmationStatus: 'processed' }
    expect(await read([entry, failed, null, fresh], ['a', 'b', 'c', 'd'])).toEqual([
      { slot: 390n, failed: null, commitment: 'confirmed' },
      { slot: 390n, failed: 'instruction 2: custom program error 0x1', commitment: 'finalized' },
      null,
      { slot: 399n, failed: null, commitment: 'processed' },
    ])
  })

  test('is finalized where an old node returns neither a commitment nor confirmations', async () => {
    expect(await read([{ ...entry, confirmations: null, confirmationStatus: null }])).toMatchObject([{ commitment: 'finalized' }])
    expect(await read([{ ...entry, confirmations: null, confirmationStatus: undefined }])).toMatchObject([
      { commitment: 'finalized' },
    ])
  })

  test.each<[string, unknown]>([
    ['no list', entry],
    ['a list that is too short', []],
    ['a list that is too long', [entry, entry]],
    ['an unknown commitment', [{ ...entry, confirmationStatus: 'max' }]],
    ['neither a commitment nor that it is rooted', [{ ...entry, confirmationStatus: null }]],
    ['no error field', [{ ...entry, err: undefined }]],
    ['an error that is none', [{ ...entry, err: 0 }]],
    ['no slot', [{ ...entry, slot: undefined }]],
    ['a slot below none', [{ ...entry, slot: -1 }]],
    ['half a slot', [{ ...entry, slot: 1.5 }]],
    ['a slot as text', [{ ...entry, slot: '390' }]],
    ['text', ['confirmed']],
    ['true', [true]],
  ])('is rejected when the node sent %s', async (_, value) => {
    await expect(read(value)).rejects.toThrow('node answered getSignatureStatuses with something else')
  })
})

describe('many transactions', () => {
  test('are read 256 at a time, and answered in the order of their signatures', async () => {
    const calls: unknown[][] = []
    const node = await fakeNode(
      cluster({
        getSignatureStatuses([signatures, options]: [string[], unknown]) {
          calls.push([signatures.length, options])
          return inSlot(signatures.map((signature) => (signature === 'none' ? null : { ...entry, slot: Number(signature) })))
        },
      }),
    )
    const names = Array.from({ length: 600 }, (_, at) => (at === 300 ? 'none' : String(at)))
    const statuses = await readStatuses(svmRpcTo(node.url), names, true)
    expect(statuses.map((status) => (status ? String(status.slot) : 'none'))).toEqual(names)
    expect(calls.map(([length]) => length).sort()).toEqual([256, 256, 88])
    expect(calls.map(([, options]) => options)).toEqual(Array(3).fill({ searchTransactionHistory: true }))
  })

  test('are not read when there are none', async () => {
    const node = await fakeNode(cluster({}))
    expect(await readStatuses(svmRpcTo(node.url), [], false)).toEqual([])
    expect(node.requests).toEqual([])
  })
})
