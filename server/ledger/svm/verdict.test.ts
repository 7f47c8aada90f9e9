import { describe, expect, test } from 'vitest'
import type { SvmStatus } from '@/server/chains/svm/statuses'
import type { SignatureReport } from '../../chains/svm/statuses'
import { failureText, hasLeft, judgeAbsence, observeSvm } from './verdict'

const at = (commitment: SvmStatus['commitment'], fails = false): SvmStatus => ({
  slot: 9n,
  commitment,
  failed: fails ? 'AccountInUse' : null,
})

describe('one check of a transaction', () => {
  test('a success counts once it is confirmed', () => {
    expect([at('processed'), at('confirmed'), at('finalized')].map(observeSvm)).toEqual(['waiting', 'landed', 'landed'])
  })

  test('a failure counts only once it can never change', () => {
    const statuses = [at('processed', true), at('confirmed', true), at('finalized', true)]
    expect(statuses.map(observeSvm)).toEqual(['waiting', 'waiting', 'failed'])
  })

  test('a node that knows nothing proves nothing', () => {
    expect(observeSvm(null)).toBe('missing')
  })
})

const absent = { signature: 'a', blockhash: 'b', lastHeight: 150n, sinceSlot: 9n }

/** A node that proves an absence by itself; facts can be changed. */
function node(facts: Partial<SignatureReport> = {}, status: SvmStatus | null = null): SignatureReport {
  return {
    index: 0,
    finalized: { height: 151n, slot: 160n },
    firstSlot: 5n,
    slot: 160n,
    statuses: new Map([['a', status]]),
    validBlockhashes: new Set(),
    ...facts,
  }
}

describe('a transaction that is not found', () => {
  test('is gone when one node proves all of it and none objects', () => {
    expect(judgeAbsence(absent, [node()])).toEqual({ see: 'gone' })
    expect(judgeAbsence(absent, [node(), node({ firstSlot: 999n }), node({ finalized: { height: 1n, slot: 2n } })])).toEqual({
      see: 'gone',
    })
  })

  test.each<[string, SignatureReport[]]>([
    ['its last height is final nowhere yet', [node({ finalized: { height: 150n, slot: 160n } })]],
    ['some node would still take its blockhash', [node(), node({ validBlockhashes: new Set(['b']) })]],
    ['no node answers', []],
  ])('may still come while %s', (_, reports) => {
    expect(judgeAbsence(absent, reports)).toEqual({ see: 'early' })
  })

  test.each<[string, SignatureReport[]]>([
    ['has forgotten the time in which it may have landed', [node({ firstSlot: 10n })]],
    ['answers with statuses of a time before', [node({ slot: 159n })]],
  ])('is unknown when each node that is far enough %s', (_, reports) => {
    expect(judgeAbsence(absent, reports)).toEqual({ see: 'unknown' })
    // What one remembers and what another one is far enough for are no proof together.
    expect(judgeAbsence(absent, [...reports, node({ finalized: { height: 150n, slot: 155n } })])).toEqual({ see: 'unknown' })
  })

  test('is seen after all when a single node sees it', () => {
    const status = at('finalized')
    expect(judgeAbsence(absent, [node(), node({}, status)])).toEqual({ see: 'status', status })
  })
})

describe('a node that no longer follows the chain and accepts the blockhash', () => {
  const taking = node({ index: 1, finalized: { height: 90n, slot: 99n }, validBlockhashes: new Set(['b']) })

  test('holds up no end that another one proves', () => {
    expect(judgeAbsence(absent, [node(), taking])).toEqual({ see: 'early' })
    expect(judgeAbsence(absent, [node(), taking], new Set([1]))).toEqual({ see: 'gone' })
  })

  test('proves nothing itself, and another one that moves still objects', () => {
    const far = node({ index: 1, validBlockhashes: new Set(['b']) })
    expect(judgeAbsence(absent, [far], new Set([1]))).toEqual({ see: 'early' })
    expect(judgeAbsence(absent, [node(), far, node({ ...far, index: 2 })], new Set([1]))).toEqual({ see: 'early' })
  })
})

describe('what an error on the chain means', () => {
  test('is that the money left when the source held too little, and the error itself otherwise', () => {
    expect(failureText('instruction 2: custom program error 0x1')).toMatch(/^The payer's money left before the block/)
    expect(failureText('instruction 2: custom program error 0x11')).toContain('(instruction 2: custom program error 0x11)')
  })
})

describe('a transaction that had landed', () => {
  const landed = { signature: 'a', slot: 100n }

  test('has left when a node that knows its time has nothing of it', () => {
    expect(hasLeft(landed, [node()])).toBe(true)
  })

  test('has left when it is there with an error now', () => {
    expect(hasLeft(landed, [node({ firstSlot: 999n }, at('confirmed', true))])).toBe(true)
  })

  test.each<[string, SignatureReport[]]>([
    ['the node has forgotten its time', [node({ firstSlot: 101n })]],
    ['the node is behind it', [node({ slot: 99n })]],
    ['another node has it', [node(), node({}, at('processed'))]],
    ['no node answers', []],
  ])('has not left because %s', (_, reports) => {
    expect(hasLeft(landed, reports)).toBe(false)
  })
})
