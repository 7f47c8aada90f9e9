import { base58, base64 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { badGateway, type FakeNode, fakeNode } from '../../../test/support/nodes/scripted-node'
import { addressOf, cluster, DEVNET, inSlot, MAINNET_GENESIS, refusal, svmNodesTo } from '../../../test/support/svm/fake-cluster'
import { createSvmChain, type SvmChain } from './chain'

async function chainOn(answers: Record<string, unknown>): Promise<{ chain: SvmChain; node: FakeNode }> {
  const node = await fakeNode(cluster(answers))
  return { chain: createSvmChain(DEVNET, svmNodesTo(node.url)), node }
}

const address = addressOf(3)

describe('a cluster', () => {
  test('is the expected one by its genesis hash, and not when only foreign nodes answer', async () => {
    const { chain, node } = await chainOn({})
    expect([chain.network, chain.title, await chain.isExpected()]).toEqual([DEVNET, 'Solana devnet', true])
    const foreign = await fakeNode(cluster({}, MAINNET_GENESIS))
    expect(await createSvmChain(DEVNET, svmNodesTo(foreign.url)).isExpected()).toBe(false)
    node.turn(badGateway)
    await expect(chain.isExpected()).rejects.toThrow()
  })

  test('returns lamports, also of an address without any', async () => {
    const { chain, node } = await chainOn({ getBalance: inSlot(2 ** 53 - 1) })
    expect(await chain.balance(address)).toBe(9_007_199_254_740_991n)
    expect(node.requests.flat().at(-1)?.params).toEqual([address, { commitment: 'confirmed' }])
    expect(await (await chainOn({ getBalance: inSlot(0) })).chain.balance(address)).toBe(0n)
  })

  test.each([[2 ** 53], [-1], [1.5], ['7'], [null], [{}]])('does not take %j for lamports or a height', async (answer) => {
    const { chain } = await chainOn({ getBalance: inSlot(answer), getBlockHeight: answer })
    await expect(chain.balance(address)).rejects.toThrow('node answered getBalance with something else')
    await expect(chain.finalizedHeight()).rejects.toThrow('node answered getBlockHeight with something else')
  })

  test('returns the height of the newest final block', async () => {
    const heights: Record<string, number> = { confirmed: 331, finalized: 300 }
    const getBlockHeight = ([{ commitment }]: [{ commitment: string }]) => heights[commitment]
    expect(await (await chainOn({ getBlockHeight })).chain.finalizedHeight()).toBe(300n)
  })

  test('returns a blockhash to build on, and reads it again when it is a second old', async () => {
    const hashes = [addressOf(5), addressOf(6)]
    let reads = 0
    const node = await fakeNode(
      cluster({ getLatestBlockhash: () => inSlot({ blockhash: hashes[reads++], lastValidBlockHeight: 9 }) }),
    )
    let now = 0
    const chain = createSvmChain(DEVNET, svmNodesTo(node.url), () => now)
    expect(await Promise.all([chain.blockhash(), chain.blockhash()])).toEqual([hashes[0], hashes[0]])
    now = 1_000
    expect(await chain.blockhash()).toBe(hashes[1])
    const { chain: other } = await chainOn({ getLatestBlockhash: inSlot({ blockhash: 'O0' }) })
    await expect(other.blockhash()).rejects.toThrow('node answered getLatestBlockhash with something else')
  })

  test('returns statuses of transactions', async () => {
    const { chain } = await chainOn({ getSignatureStatuses: inSlot([null]) })
    expect(await chain.statuses(['a'], false)).toEqual([null])
  })
})

describe('a send', () => {
  const signature = new Uint8Array(64).fill(3)
  const raw = base64.encode(Uint8Array.of(1, ...signature, 7, 7, 7))
  const name = base58.encode(signature)

  test('is accepted when the node answers with the signature, without a preflight and without retries of its own', async () => {
    const { chain, node } = await chainOn({ sendTransaction: name })
    expect(await chain.send(raw)).toEqual({ answer: 'accepted', detail: '' })
    const sends = node.requests.flat().filter(({ method }) => method === 'sendTransaction')
    expect(sends.map(({ params }) => params)).toEqual([[raw, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }]])
  })

  test("is refused with the node's message, without addresses", async () => {
    const { chain } = await chainOn({ sendTransaction: refusal(-32_005, 'Node is unhealthy, see https://node.example/key') })
    expect(await chain.send(raw)).toEqual({ answer: 'refused', detail: 'Node is unhealthy, see <url>' })
  })

  test('is silent without a response, or on anything else than the signature', async () => {
    const { chain, node } = await chainOn({ sendTransaction: base58.encode(signature.map(() => 4)) })
    expect(await chain.send(raw)).toMatchObject({ answer: 'silent' })
    node.turn(badGateway)
    expect(await chain.send(raw)).toEqual({ answer: 'silent', detail: 'the node did not answer' })
  })

  test('is silent when the only node is of another cluster', async () => {
    const foreign = await fakeNode(cluster({ sendTransaction: name }, MAINNET_GENESIS))
    expect(await createSvmChain(DEVNET, svmNodesTo(foreign.url)).send(raw)).toMatchObject({ answer: 'silent' })
  })

  test('goes to the next endpoint with the same bytes when one does not answer', async () => {
    const [broken, next] = [await fakeNode(badGateway), await fakeNode(cluster({ sendTransaction: name }))]
    const chain = createSvmChain(DEVNET, svmNodesTo(broken.url, next.url))
    expect(await chain.send(raw)).toMatchObject({ answer: 'accepted' })
    expect(next.requests.flat().find(({ method }) => method === 'sendTransaction')?.params[0]).toBe(raw)
  })
})
