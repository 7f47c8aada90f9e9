import { describe, expect, test } from 'vitest'
import { badGateway, fakeNode } from '../../../test/support/nodes/scripted-node'
import { addressOf, cluster, inSlot, MAINNET_GENESIS, svmNodesTo } from '../../../test/support/svm/fake-cluster'
import { readSignatureReports, type SignatureReport, type TransactionRef } from './statuses'

const [blockhash, other] = [addressOf(4), addressOf(5)]
const healthy = {
  getEpochInfo: { absoluteSlot: 1_300, blockHeight: 300, epoch: 0 },
  getFirstAvailableBlock: 12,
  getSignatureStatuses: inSlot([null]),
  isBlockhashValid: inSlot(false),
}
const report = async (answers: Record<string, unknown>[], transactions: TransactionRef[] = [{ signature: 'a', blockhash }]) => {
  const nodes = await Promise.all(answers.map((one) => fakeNode(cluster({ ...healthy, ...one }))))
  return { reports: await readSignatureReports(svmNodesTo(...nodes.map(({ url }) => url)).nodes, transactions), nodes }
}
const firstOf = ({ reports }: { reports: SignatureReport[] }): SignatureReport => {
  const [first] = reports
  if (!first) throw new Error('no node reported')
  return first
}

describe('the report of a node', () => {
  test('is its final height and slot, its first slot, and the slot and the statuses of its whole history', async () => {
    const { reports, nodes } = await report([{}])
    expect(reports).toEqual([
      {
        index: 0,
        finalized: { height: 300n, slot: 1_300n },
        firstSlot: 12n,
        slot: 400n,
        statuses: new Map([['a', null]]),
        validBlockhashes: new Set(),
      },
    ])
    const call = nodes.flatMap(({ requests }) => requests.flat()).find(({ method }) => method === 'getSignatureStatuses')
    expect(call?.params).toEqual([['a'], { searchTransactionHistory: true }])
  })

  test('is independent of slower nodes', async () => {
    const { reports } = await report([{ getFirstAvailableBlock: 12 }, { getFirstAvailableBlock: 9_999 }])
    expect(reports.map(({ firstSlot }) => firstSlot).sort()).toEqual([12n, 9_999n])
  })

  test.each([
    { processed: true, finalized: true, valid: true },
    { processed: true, finalized: false, valid: true },
    { processed: false, finalized: true, valid: true },
    { processed: false, finalized: false, valid: false },
  ])('of a blockhash is that it is gone only when neither its newest nor its finalized block knows it: %j', async (facts) => {
    const known: Record<string, boolean> = facts
    const isBlockhashValid = ([, { commitment }]: [string, { commitment: string }]) => inSlot(known[commitment])
    const { validBlockhashes } = firstOf(await report([{ isBlockhashValid }]))
    expect(validBlockhashes.has(blockhash)).toBe(facts.valid)
  })

  test('of many with one blockhash reads it once', async () => {
    const transactions = ['a', 'b', 'c'].map((signature) => ({ signature, blockhash: signature === 'c' ? other : blockhash }))
    const { nodes } = await report([{ getSignatureStatuses: inSlot([null, null, null]) }], transactions)
    const methods = nodes.flatMap((node) => node.methods())
    expect(methods.filter((method) => method === 'isBlockhashValid')).toHaveLength(4)
  })

  test.each<[string, Record<string, unknown>]>([
    ['its heights', { getEpochInfo: null }],
    ['how far its history reaches', { getFirstAvailableBlock: null }],
    ['clear statuses', { getSignatureStatuses: inSlot([{ slot: 'x' }]) }],
    ['about a blockhash', { isBlockhashValid: inSlot(null) }],
  ])('is missing when the node does not return %s', async (_, answers) => {
    expect((await report([answers, {}])).reports).toHaveLength(1)
  })

  test('is missing when the node is down or of another cluster', async () => {
    const [away, foreign] = [await fakeNode(badGateway), await fakeNode(cluster(healthy, MAINNET_GENESIS))]
    expect(await readSignatureReports(svmNodesTo(away.url, foreign.url).nodes, [{ signature: 'a', blockhash }])).toEqual([])
  })
})
