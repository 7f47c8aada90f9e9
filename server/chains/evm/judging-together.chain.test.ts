import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chain, startChain } from '../../../devnet/chain'
import { frontRun } from '../../../test/support/chain/front-run'
import { testLog } from '../../../test/support/logs'
import { PAY_TO, signed, v2Body } from '../../../test/support/payloads/payments'
import { parsePayment } from '../../x402/parse'
import { type Eip3009Payment, isEip3009 } from '../../x402/payment'
import type { Rpc } from '../rpc'
import { type Judgement, judgeOnChain } from './judgement'
import { type JudgingRequest, judgeTogether } from './judging-together'
import { createRpc } from './rpc'

let chain: Chain
let rpc: Rpc
let calls: string[] = []
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
  const node = createRpc([chain.url], 'eip155:84532', testLog())
  rpc = (method, params, how) => {
    calls.push(method)
    return node(method, params, how)
  }
})
afterAll(() => chain.stop())

const newPayer = async (money = 1_000n): Promise<LocalAccount> => {
  const payer = privateKeyToAccount(generatePrivateKey())
  if (money > 0n) await chain.mint(payer.address, money)
  return payer
}

async function payment(payer: LocalAccount, payTo: `0x${string}` = PAY_TO): Promise<Eip3009Payment> {
  const parsed = parsePayment(v2Body(await signed(payer, { to: payTo }), { requirements: { payTo } }))
  if (!isEip3009(parsed)) throw new Error('not an EIP-3009 payment')
  return parsed
}

const requestsFor = async (payments: Eip3009Payment[]): Promise<JudgingRequest[]> => {
  const { timestamp: now } = await chain.client.getBlock()
  return payments.map((payment) => ({ payment, now }))
}

const endsOf = async (judging: Promise<Judgement>[]): Promise<(Judgement | Error)[]> =>
  (await Promise.allSettled(judging)).map((end) => (end.status === 'fulfilled' ? end.value : end.reason))

/** What the payments get together, and what each gets alone. */
async function judged(payments: Eip3009Payment[]) {
  const all = await requestsFor(payments)
  const alone = await Promise.all(all.map(({ payment, now }) => judgeOnChain(rpc, payment, now)))
  calls = []
  return { together: await endsOf(judgeTogether(rpc, all)), alone }
}

describe('payments judged together', () => {
  test('take one call and one header if all are good', async () => {
    const payers = await Promise.all(Array.from({ length: 30 }, () => newPayer()))
    const { together, alone } = await judged(await Promise.all(payers.map((payer) => payment(payer))))
    expect(together).toEqual(alone)
    expect(together.every((one) => !(one instanceof Error) && one.valid)).toBe(true)
    expect(calls.sort()).toEqual(['eth_call', 'eth_getBlockByNumber'])
  })

  test('get what each gets alone: no money, used, code at the address, code that burns gas, two of one payer', async () => {
    const [poor, used, wallet, burner, double, good] = await Promise.all(
      [0n, 2_000n, 1_000n, 1_000n, 1_000n, 1_000n].map(newPayer),
    )
    if (!poor || !used || !wallet || !burner || !double || !good) throw new Error('a payer is missing')
    const spent = await payment(used)
    await frontRun(chain, spent.transfer)
    await chain.mine(1)
    await chain.client.setCode({ address: wallet.address, bytecode: '0x00' })
    await chain.client.setCode({ address: burner.address, bytecode: '0x5b600056' })
    const payments = [
      await payment(poor),
      spent,
      await payment(wallet),
      await payment(burner),
      await payment(double),
      await payment(double),
      await payment(good),
    ]
    const { together, alone } = await judged(payments)
    expect(together).toEqual(alone)
    expect(together.map((one) => one instanceof Error || one.valid || one.reason)).toEqual([
      'invalid_exact_evm_insufficient_balance',
      'invalid_exact_evm_nonce_already_used',
      'invalid_exact_evm_signature',
      'invalid_exact_evm_signature',
      true,
      true,
      true,
    ])
  })

  test('never spend money that only another one of them would bring', async () => {
    const [rich, poor] = [await newPayer(), await newPayer(0n)]
    const payments = [await payment(rich, poor.address), await payment(poor)]
    for (const order of [payments, payments.toReversed()]) {
      const { together, alone } = await judged(order)
      expect(together).toEqual(alone)
      expect(together.filter((one) => !(one instanceof Error) && one.valid)).toHaveLength(1)
    }
  })

  test('of a token without code are not paid', async () => {
    const payers = await Promise.all([newPayer(), newPayer()])
    const asset = '0x00000000000000000000000000000000000000aa' as const
    const payments = (await Promise.all(payers.map((payer) => payment(payer)))).map((one) => ({ ...one, asset }))
    const { together, alone } = await judged(payments)
    expect(together).toEqual(alone)
  })

  test('are judged alone when a node limits the gas of a call', async () => {
    const payers = await Promise.all([newPayer(), newPayer()])
    const all = await requestsFor(await Promise.all(payers.map((payer) => payment(payer))))
    let first = true
    const limited: Rpc = (method, params, how) => {
      if (method !== 'eth_call' || !first) return rpc(method, params, how)
      first = false
      return Promise.reject(
        Object.assign(new Error('out of gas'), { name: 'RpcRequestError', code: -32_000, details: 'out of gas' }),
      )
    }
    expect((await endsOf(judgeTogether(limited, all))).map((one) => !(one instanceof Error) && one.valid)).toEqual([true, true])
  })

  test('do not wait for one that is judged alone', async () => {
    const payers = await Promise.all([newPayer(), newPayer(), newPayer(0n)])
    const all = await requestsFor(await Promise.all(payers.map((payer) => payment(payer))))
    // One call and one header are of all three. What is read for the poor one alone waits.
    let free = 2
    let release = () => {}
    const stalled = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Rpc = async (method, params, how) => {
      if (free-- <= 0) await stalled
      return rpc(method, params, how)
    }
    const [first, second, poor] = judgeTogether(slow, all)
    expect(await Promise.all([first, second])).toMatchObject([{ valid: true }, { valid: true }])
    release()
    expect(await poor).toMatchObject({ valid: false })
  })

  test('get an error each when the node does not answer', async () => {
    const payers = await Promise.all([newPayer(), newPayer()])
    const all = await requestsFor(await Promise.all(payers.map((payer) => payment(payer))))
    const silent: Rpc = () => Promise.reject(new Error('silence'))
    expect(await endsOf(judgeTogether(silent, all))).toMatchObject([{ refusal: 'upstream' }, { refusal: 'upstream' }])
  })
})
