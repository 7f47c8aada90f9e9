import { x402Facilitator } from '@x402/core/facilitator'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/facilitator'
import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseEventLogs,
  parseSignature,
  serializeSignature,
  toEventSelector,
  toFunctionSelector,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  type ChannelConfig,
  type ClaimRow,
  channelIdOf,
  createChannelForge,
  DEPOSIT,
  PRICE,
  signClaims,
  signRefund,
} from '../test/support/batch-settlement/channels'
import { fundedKey } from '../test/support/chain/funded-key'
import { fixture } from '../test/support/fixture'
import { officialSigner } from '../test/support/nodes/official-facilitator'
import { artifact } from './artifacts'
import { startChain } from './chain'
import { batchSettlementAddress } from './networks'

type Json = Record<string, unknown>

const authorizer = privateKeyToAccount(generatePrivateKey())
const receiver = privateKeyToAccount(generatePrivateKey())
const { abi } = artifact('BatchSettlement')

const stage = fixture(async () => {
  const chain = await startChain({ chainId: 84532 })
  const key = await fundedKey(chain)
  const signer = officialSigner({ chainId: 84532, chainUrl: chain.url, key, pollingIntervalMs: 20 })
  const official = new x402Facilitator().register('eip155:84532', new BatchSettlementEvmScheme(signer, asAuthorizer(authorizer)))
  const forge = createChannelForge(chain, receiver.address, authorizer.address)
  return { chain, official, forge, sender: privateKeyToAccount(key), close: () => chain.stop() }
})

// The official port types the same message more loosely.
const asAuthorizer = (account: LocalAccount) => account as unknown as ConstructorParameters<typeof BatchSettlementEvmScheme>[1]
type Official = Parameters<x402Facilitator['settle']>
const asOfficial = ({ paymentPayload, paymentRequirements }: Json) => [paymentPayload, paymentRequirements] as unknown as Official

const verify = (body: Json) => stage.official.verify(...asOfficial(body))
const settle = (body: Json) => stage.official.settle(...asOfficial(body))

const read = (functionName: string, args: unknown[]): Promise<unknown> =>
  stage.chain.client.readContract({ address: batchSettlementAddress, abi, functionName, args })

/** The result of a call by an account, without sending it. */
const call = (functionName: string, args: unknown[], account: Address = stage.sender.address): Promise<unknown> =>
  stage.chain.client.simulateContract({ address: batchSettlementAddress, abi, functionName, args, account })

/** Sends a call and returns the events of the contract. */
async function send(functionName: string, args: unknown[], account: LocalAccount = stage.sender) {
  const { client } = stage.chain
  await stage.chain.fund(account.address, 10n ** 18n)
  const calling = { address: batchSettlementAddress, abi, functionName, args, account, chain: client.chain }
  const { logs } = await client.waitForTransactionReceipt({ hash: await client.writeContract(calling) })
  return parseEventLogs({ abi, logs }).map((log) => Object(log))
}

/** A channel with a deposit. */
async function opened(change: Partial<ChannelConfig> = {}) {
  const who = await stage.forge.payer()
  const { body, config, channelId } = await stage.forge.deposit(who, { config: change, extra: change })
  expect(await settle(body)).toMatchObject({ success: true, amount: String(DEPOSIT) })
  return { ...who, config, channelId }
}

const claimed = (rows: ClaimRow[], signature: Hex) => call('claimWithSignature', [rows, signature])
const bySigner = async (rows: ClaimRow[]): Promise<Hex> => signClaims(84532, authorizer, rows)

describe('the contract has the interface of the official packages', () => {
  test.each([
    ['0xac9650d8', 'multicall(bytes[])'],
    ['0x140f1e75', 'deposit((address,address,address,address,address,uint40,bytes32),uint128,address,bytes)'],
    ['0x29237b0c', 'claim((((address,address,address,address,address,uint40,bytes32),uint128),bytes,uint128)[])'],
    [
      '0xe43ce1f2',
      'claimWithSignature((((address,address,address,address,address,uint40,bytes32),uint128),bytes,uint128)[],bytes)',
    ],
    ['0x9db32a8f', 'settle(address,address)'],
    ['0xcf5cf3dc', 'initiateWithdraw((address,address,address,address,address,uint40,bytes32),uint128)'],
    ['0xe88377b1', 'finalizeWithdraw((address,address,address,address,address,uint40,bytes32))'],
    ['0xdce4bfae', 'refund((address,address,address,address,address,uint40,bytes32),uint128)'],
    ['0xb77433e9', 'refundWithSignature((address,address,address,address,address,uint40,bytes32),uint128,uint256,bytes)'],
    ['0x5e5e0b87', 'getChannelId((address,address,address,address,address,uint40,bytes32))'],
    ['0x7a7ebd7b', 'channels(bytes32)'],
    ['0xb7f06ebe', 'pendingWithdrawals(bytes32)'],
    ['0x21ff6389', 'receivers(address,address)'],
    ['0xf0dc792e', 'refundNonce(bytes32)'],
    ['0x862bb199', 'getVoucherDigest(bytes32,uint128)'],
    ['0xe25cf189', 'getRefundDigest(bytes32,uint256,uint128)'],
    ['0x488ccc3b', 'getClaimBatchDigest((((address,address,address,address,address,uint40,bytes32),uint128),bytes,uint128)[])'],
  ])('function %s', (selector, signature) => {
    expect(selectorsOf(abi, 'function', toFunctionSelector)).toContain(selector)
    expect(toFunctionSelector(signature)).toBe(selector)
  })

  test.each([
    ['Deposited', '0x6c2a09353b5e75e70d0b9778b80a413809bb235d46c211811c474b3346791d89'],
    ['Claimed', '0x36bd546bb573e8921fdbfd934bbed62d872796b01792cd240cce27f79dd3eddd'],
    ['Settled', '0x7337b4386b690fdb8ba66905b92b9d45d33bc6626ee2620c905fb150ec0cc47d'],
    ['Refunded', '0xa84286cf8ebc7903a663c77c8d99aa92b600d4c2fcca872a5d4a663db4eb394b'],
    ['ChannelCreated', '0x69d8248d5566bdb2ebc4d218970710d8378a2ff9b709a999e052b71970f808fa'],
    ['ChannelClosed', '0x8d5942f197f362dfd44dfdc1b0b7a9721c9151b67f55817c83349271d3c08d37'],
    ['WithdrawInitiated', '0xe4280d0d903c7f258f62b07c62f262377cbaa23f7791d78126e6446e0f0e3c23'],
    ['WithdrawFinalized', '0x546ce1e2242cd930c196bd08b894443562d709b4fffe4f028a75a6d233efc6e3'],
  ])('event %s', (_, topic) => {
    expect(selectorsOf(abi, 'event', toEventSelector)).toContain(topic)
  })

  test.each([
    ['CHANNEL_CONFIG_TYPEHASH', '0x1c9a06ceab9b0ebbd3301dc56c9111bb6d9af421356dc9ccb3b7084c755db308'],
    ['VOUCHER_TYPEHASH', '0x1e1bd6ff84c3e0d9029a292b212e039c0ca97ec497c55191a4a5874294609a69'],
    ['REFUND_TYPEHASH', '0xbe23ad087435072cd69b49cc5b92de10ee610fce7ae0ab428307972d764bb216'],
    ['CLAIM_ENTRY_TYPEHASH', '0x30b9a0367528fca13c3e8ec6134c3113f1887ebe7a1ad61de0955aac288b0cf5'],
    ['CLAIM_BATCH_TYPEHASH', '0x42bd57c010b870c2e96203c66341f28a6a19b4d56a74533a8eb5f706b9fd6d57'],
  ])('type hash %s', async (name, hash) => {
    expect(await read(name, [])).toBe(hash)
  })

  test('and its digests', async () => {
    const config: ChannelConfig = {
      payer: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      payerAuthorizer: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
      receiver: '0x000000000000000000000000000000000000dEaD',
      receiverAuthorizer: '0x5CbDd86a2FA8Dc4bDdd8a8f69dBa48572EeC07FB',
      token: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      withdrawDelay: 900,
      salt: toHex(0, { size: 32 }),
    }
    const id = '0xcfcc7722ef96c28e2ac7397bd8a6e8a135b6df774a5f73aa065064c4b4665c9f'
    expect([await read('getChannelId', [config]), channelIdOf(84532, config)]).toEqual([id, id])
    expect(await read('getVoucherDigest', [id, 1_000n])).toBe(
      '0xe4a021cf4c58a7db3c5398105279b325d54ee2806a3ca6670af75f0539444e6b',
    )
    expect(await read('getRefundDigest', [id, 0n, 8_750n])).toBe(
      '0x117b762126fcc0e6f76881469f0edfd521df3dda4c0f156659e68c8b6140ecea',
    )
    const row = { voucher: { channel: config, maxClaimableAmount: 1_950n }, signature: '0x', totalClaimed: 950n }
    expect(await read('getClaimBatchDigest', [[row]])).toBe('0x30d020e5820cb5822a8807d63272a9c0c204aa1efdd85e9abd4ad799eed344db')
  })
})

describe('the official facilitator acts on it', () => {
  test.each(['eip3009', 'permit2'] as const)('a deposit by %s', async (method) => {
    const who = await stage.forge.payer()
    const { body, channelId } = await stage.forge.deposit(who, { method })
    expect(await verify(body)).toMatchObject({ isValid: true, payer: who.from, extra: { channelId, balance: '0' } })
    const state = { channelId, balance: String(DEPOSIT), totalClaimed: '0', withdrawRequestedAt: 0, refundNonce: '0' }
    expect(await settle(body)).toMatchObject({ success: true, amount: String(DEPOSIT), extra: { channelState: state } })
    expect(await stage.chain.tokens(who.from)).toBe(1_000_000n - DEPOSIT)
    expect(await settle(body)).toMatchObject({ success: false })
  })

  test('vouchers, a claim, a settlement and a refund, one after the other', async () => {
    const { owner, from, config, channelId } = await opened()
    const before = await stage.chain.tokens(receiver.address)
    expect(await verify(await stage.forge.voucher(config, owner, 2n * PRICE))).toMatchObject({ isValid: true })
    expect(await settle(stage.forge.claims([await stage.forge.row(config, owner, 1_500n, 2_000n)]))).toMatchObject({
      success: true,
    })
    expect(await read('channels', [channelId])).toEqual([DEPOSIT, 1_500n])
    expect(await settle(stage.forge.sweep())).toMatchObject({ success: true, amount: '1500' })
    expect(await stage.chain.tokens(receiver.address)).toBe(before + 1_500n)
    expect(await settle(stage.forge.sweep())).toMatchObject({ errorReason: 'invalid_batch_settlement_evm_nothing_to_settle' })
    const rows = [await stage.forge.row(config, owner, 2_000n)]
    const refund = await stage.forge.refund(config, owner, 2_000n, { amount: 8_000n, claims: rows })
    expect(await settle(refund)).toMatchObject({ success: true, amount: '8000', extra: { channelState: { refundNonce: '1' } } })
    expect(await read('channels', [channelId])).toEqual([2_000n, 2_000n])
    expect(await stage.chain.tokens(from)).toBe(1_000_000n - 2_000n)
  })
})

describe('a claim', () => {
  test('takes a voucher up to its maximum and the balance, signed by the authorizer of each row', async () => {
    const { owner, config } = await opened()
    const other = await opened({ receiverAuthorizer: receiver.address })
    const row = (total: bigint, max = total) => stage.forge.row(config, owner, total, max)
    const one = await row(500n, 900n)
    await expect(claimed([], await bySigner([]))).rejects.toThrow('EmptyBatch')
    await expect(claimed([one], await signClaims(84532, receiver, [one]))).rejects.toThrow('InvalidSignature')
    await expect(claimed([await row(901n, 900n)], await bySigner([await row(901n, 900n)]))).rejects.toThrow('ClaimExceedsCeiling')
    const over = await row(DEPOSIT + 1n)
    await expect(claimed([over], await bySigner([over]))).rejects.toThrow('ClaimExceedsBalance')
    const foreign = [one, await stage.forge.row(other.config, other.owner, 1n)]
    await expect(claimed(foreign, await bySigner(foreign))).rejects.toThrow('NotReceiverAuthorizer')
    await expect(claimed([one], await bySigner([one]))).resolves.toBeDefined()
    await expect(call('claim', [[one]])).rejects.toThrow('NotAuthorizedToClaim')
    await expect(call('claim', [[one]], receiver.address)).resolves.toBeDefined()
  })

  test('of what was claimed before is passed over: its signature is not looked at and nothing is logged', async () => {
    const { owner, config, channelId } = await opened()
    const one = await stage.forge.row(config, owner, 700n)
    const logged = await send('claimWithSignature', [[one], await bySigner([one])])
    expect(logged).toMatchObject([{ eventName: 'Claimed', args: { channelId, claimAmount: 700n, newTotalClaimed: 700n } }])
    const broken = { ...one, signature: '0x' as const }
    expect(await send('claimWithSignature', [[broken], await bySigner([broken])])).toEqual([])
  })

  test('needs the payer authorizer in the one form of its signature, and the answer of a wallet without one', async () => {
    const { owner, config } = await opened()
    const good = await stage.forge.row(config, owner, 10n)
    const withSignature = async (signature: Hex) => {
      const rows = [{ ...good, signature }]
      return claimed(rows, await bySigner(rows))
    }
    await expect(withSignature(highS(good.signature))).rejects.toThrow('ECDSAInvalidSignatureS')
    await expect(withSignature(`${good.signature.slice(0, -2)}0${good.signature.endsWith('b') ? 0 : 1}` as Hex)).rejects.toThrow(
      'ECDSAInvalidSignature',
    )
    await expect(withSignature(good.signature.slice(0, -2) as Hex)).rejects.toThrow('ECDSAInvalidSignatureLength')
    const stranger = await stage.forge.row(config, receiver, 10n)
    await expect(withSignature(stranger.signature)).rejects.toThrow('InvalidSignature')

    const wallet = await stage.forge.payer({ wallet: true })
    const change = { payerAuthorizer: '0x0000000000000000000000000000000000000000' } as const
    const made = await stage.forge.deposit(wallet, { config: change })
    expect(await settle(made.body)).toMatchObject({ success: true })
    const rows = [await stage.forge.row(made.config, wallet.owner, 10n)]
    await expect(claimed(rows, await bySigner(rows))).resolves.toBeDefined()
    const wrong = [await stage.forge.row(made.config, receiver, 10n)]
    await expect(claimed(wrong, await bySigner(wrong))).rejects.toThrow('InvalidSignature')
  })

  test('fails as a whole with one bad row, and so does a multicall', async () => {
    const { owner, config } = await opened()
    const good = await stage.forge.row(config, owner, 10n)
    const bad = await stage.forge.row(config, owner, DEPOSIT + 1n)
    await expect(claimed([good, bad], await bySigner([good, bad]))).rejects.toThrow('ClaimExceedsBalance')
    const calls = await Promise.all(
      [good, bad].map(async (row) =>
        encodeFunctionData({ abi, functionName: 'claimWithSignature', args: [[row], await bySigner([row])] }),
      ),
    )
    await expect(call('multicall', [calls])).rejects.toThrow('ClaimExceedsBalance')
    await expect(call('multicall', [calls.slice(0, 1)])).resolves.toBeDefined()
  })
})

describe('a payer', () => {
  test('withdraws what is not claimed once the delay is over, and no claim before is lost', async () => {
    const { owner, from, config, channelId } = await opened()
    await expect(call('initiateWithdraw', [config, DEPOSIT], receiver.address)).rejects.toThrow('NotAuthorized')
    await expect(call('initiateWithdraw', [config, DEPOSIT + 1n], from)).rejects.toThrow('WithdrawAmountExceedsAvailable')
    expect(await send('initiateWithdraw', [config, DEPOSIT], owner)).toMatchObject([{ eventName: 'WithdrawInitiated' }])
    await expect(call('initiateWithdraw', [config, 1n], from)).rejects.toThrow('WithdrawalAlreadyPending')
    await expect(call('finalizeWithdraw', [config], from)).rejects.toThrow('WithdrawDelayNotElapsed')
    const one = await stage.forge.row(config, owner, 3_000n)
    await send('claimWithSignature', [[one], await bySigner([one])])
    await stage.chain.client.increaseTime({ seconds: 900 })
    await stage.chain.mine(1)
    expect(await send('finalizeWithdraw', [config], owner)).toMatchObject([
      { eventName: 'WithdrawFinalized', args: { channelId, amount: DEPOSIT - 3_000n } },
    ])
    expect(await read('channels', [channelId])).toEqual([3_000n, 3_000n])
    await expect(call('finalizeWithdraw', [config], from)).rejects.toThrow('WithdrawalNotPending')
  })

  test('gets a refund once for a nonce, and it lowers a withdrawal that waits', async () => {
    const { owner, config, channelId } = await opened()
    await send('initiateWithdraw', [config, 5_000n], owner)
    const signed = (nonce: bigint, amount: bigint) => signRefund(84532, authorizer, { channelId, nonce, amount })
    await expect(call('refundWithSignature', [config, 2_000n, 1n, await signed(1n, 2_000n)])).rejects.toThrow(
      'InvalidRefundNonce',
    )
    await expect(call('refundWithSignature', [config, 2_000n, 0n, await signed(0n, 2_001n)])).rejects.toThrow('InvalidSignature')
    await expect(call('refundWithSignature', [config, 0n, 0n, await signed(0n, 0n)])).rejects.toThrow('ZeroRefund')
    await expect(call('refund', [config, 1n])).rejects.toThrow('NotAuthorizedToRefund')
    await send('refundWithSignature', [config, 2_000n, 0n, await signed(0n, 2_000n)])
    expect(await read('pendingWithdrawals', [channelId])).toMatchObject([3_000n, expect.anything()])
    await send('refundWithSignature', [config, 2n ** 100n, 1n, await signed(1n, 2n ** 100n)])
    expect(await read('channels', [channelId])).toEqual([0n, 0n])
    expect(await read('pendingWithdrawals', [channelId])).toEqual([0n, 0])
    expect(await send('refundWithSignature', [config, 1n, 2n, await signed(2n, 1n)])).toEqual([])
    expect(await read('refundNonce', [channelId])).toBe(3n)
  })

  test('opens no channel without its parties, a token, a delay in range and tokens that arrive', async () => {
    const who = await stage.forge.payer()
    const refused = async (config: Partial<ChannelConfig>, amount = DEPOSIT, token?: Address) => {
      const good = stage.forge.configOf(who, { ...config, ...(token ? { token } : {}) })
      return call('deposit', [good, amount, batchSettlementAddress, '0x'])
    }
    const none = '0x0000000000000000000000000000000000000000'
    await expect(refused({ receiver: none })).rejects.toThrow('InvalidChannel')
    await expect(refused({ receiverAuthorizer: none })).rejects.toThrow('InvalidChannel')
    await expect(refused({ withdrawDelay: 899 })).rejects.toThrow('WithdrawDelayOutOfRange')
    await expect(refused({ withdrawDelay: 2_592_001 })).rejects.toThrow('WithdrawDelayOutOfRange')
    await expect(refused({}, 0n)).rejects.toThrow('ZeroDeposit')
    const good = stage.forge.configOf(who)
    await expect(call('deposit', [good, 1n, none, '0x'])).rejects.toThrow('InvalidCollector')
  })
})

/** The other signature of the same key over the same digest, which contracts refuse. */
function highS(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  return serializeSignature({ r, s: toHex(order - BigInt(s), { size: 32 }), yParity: yParity === 0 ? 1 : 0 })
}

function selectorsOf(of: Abi, type: 'function' | 'event', selector: (item: never) => Hex): Hex[] {
  return of.flatMap((item) => (item.type === type ? [selector(item as never)] : []))
}
