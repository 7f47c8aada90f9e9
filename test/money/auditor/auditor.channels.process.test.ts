import { encodeFunctionData, type Hex, keccak256, type LocalAccount, pad, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { type Chain, startChain } from '../../../devnet/chain'
import { batchSettlementAddress } from '../../../devnet/networks'
import { type ChannelConfig, createChannelForge, DEPOSIT, signClaims, signRefund } from '../../support/batch-settlement/channels'
import { SANDBOX } from '../../support/database/ledger'
import { NO_OFFENCE } from '../audit'
import { type ActRow, type Audited, startAudited } from '../audited'
import type { Acted } from './description'

const NETWORK = 'eip155:84532'
const CHARGED = 700n
const SIGNED = 900n
const REFUND = 4_000n

const { abi } = artifact('BatchSettlement')
const authorizer = privateKeyToAccount(generatePrivateKey())
const receiver = privateKeyToAccount(generatePrivateKey()).address

let chain: Chain
beforeAll(async () => {
  chain = await startChain({ chainId: 84532 })
})
afterAll(() => chain.stop())

/** Sends a call of the contract as an account. */
async function sendAs(account: LocalAccount, functionName: string, args: unknown[]): Promise<Hex> {
  await chain.fund(account.address, 10n ** 18n)
  const data = encodeFunctionData({ abi, functionName, args })
  const hash = await chain.client.sendTransaction({ account, chain: chain.client.chain, to: batchSettlementAddress, data })
  expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
  return hash
}

/** A channel that a stranger's transaction opened, with a part that its payer withdrew. */
async function opened() {
  const forge = createChannelForge(chain, receiver, authorizer.address, authorizer)
  const who = await forge.payer()
  const { config, channelId } = await forge.depositDirectly(who)
  await sendAs(who.owner, 'initiateWithdraw', [config, 1_000n])
  await chain.client.increaseTime({ seconds: 900 })
  await sendAs(who.owner, 'finalizeWithdraw', [config])
  return { ...who, forge, config, channelId }
}

// Each test starts with one correct refund behind its claim, sent by a lane, and adds one violation.
let audited: Audited
let channel: Awaited<ReturnType<typeof opened>>
let hash: Hex
let answer: Acted
const refund: Omit<ActRow, 'channelId'> = { kind: 'refund', amount: REFUND, rows: [{ total: CHARGED, signed: SIGNED }] }

beforeEach(async () => {
  audited = await startAudited(chain)
  channel = await opened()
  hash = await refunded(channel)
  await audited.acted({ ...refund, channelId: channel.channelId }, hash)
  await keep(channel.config)
  const body = { success: true, transaction: hash, amount: String(REFUND) }
  answer = { act: 'refund', network: NETWORK, of: [channel.channelId], status: 200, body }
  await audited.records.acted(answer)
})
afterEach(() => audited.close())

/** Claims and refunds in one call of the signer. */
async function refunded({ forge, config, owner, channelId }: typeof channel): Promise<Hex> {
  const rows = [await forge.row(config, owner, CHARGED, SIGNED)]
  const calls = [
    { functionName: 'claimWithSignature', args: [rows, await signClaims(84532, authorizer, rows)] },
    {
      functionName: 'refundWithSignature',
      args: [config, REFUND, 0n, await signRefund(84532, authorizer, { channelId, nonce: 0n, amount: REFUND })],
    },
  ]
  const data = calls.map((call) => encodeFunctionData({ abi, ...call }))
  return sendAs(privateKeyToAccount(audited.signer), 'multicall', [data])
}

/** Keeps the channel as a merchant's server does. */
async function keep(config: ChannelConfig): Promise<void> {
  const { payer, token } = config
  const amounts = { signed: String(SIGNED), charged: String(CHARGED) }
  await audited.database.db.channel.create({
    data: {
      network: NETWORK,
      id: channel.channelId,
      tenantId: SANDBOX,
      config,
      payer,
      receiver,
      token,
      ...amounts,
      stored: true,
    },
  })
}

const charges = (charged: bigint) => [{ network: NETWORK, channelId: channel.channelId, charged: String(charged) }]

describe('the auditor of channels', () => {
  test('finds no violation in a correct run, also when a stranger pays out what was claimed', async () => {
    await sendAs(channel.owner, 'settle', [receiver, chain.usdc])
    expect(await audited.audit(undefined, charges(CHARGED))).toEqual(NO_OFFENCE)
  })

  test('counts a claim without its row', async () => {
    await audited.database.db.channelClaim.deleteMany()
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_acts: 1 })
  })

  test('counts a claim of another total than its row', async () => {
    await audited.database.db.channelClaim.updateMany({ data: { total: String(CHARGED + 1n) } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_acts: 1 })
  })

  test('counts a refund of more than its row allows, and a row whose refund is not on the chain', async () => {
    await audited.database.db.settlement.updateMany({ data: { amount: String(REFUND - 1n) } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_acts: 2 })
  })

  test('counts an answer that names a transaction which refunds nothing', async () => {
    const other = await sendAs(channel.owner, 'settle', [receiver, chain.usdc])
    await audited.records.acted({ ...answer, body: { ...answer.body, transaction: other } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_acts: 1 })
  })

  test('counts an answer with another amount than was refunded', async () => {
    await audited.records.acted({ ...answer, body: { ...answer.body, amount: String(REFUND + 1n) } })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_acts: 1 })
  })

  test('counts a channel of which more was claimed than charged', async () => {
    await replaced(`UPDATE "Channel" SET "charged" = "charged" - 1`)
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_charges: 1 })
  })

  test('counts a channel that was charged more than its payer signed', async () => {
    await replaced(`UPDATE "Channel" SET "charged" = "signed" + 1`)
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_charges: 1 })
  })

  test.each([
    ['less than its merchant charged: a voucher was lost', CHARGED + 1n],
    ['more than its merchant charged', CHARGED - 1n],
  ])('counts a channel of which was claimed %s', async (_, charged) => {
    expect(await audited.audit(undefined, charges(charged))).toEqual({ ...NO_OFFENCE, channel_charges: 1 })
  })

  test('counts a balance that no event explains, and tokens that the contract lacks for it', async () => {
    // The mapping `channels` is the first of the contract; the claims are the upper half of the word.
    const slot = keccak256(`${channel.channelId}${pad(toHex(0)).slice(2)}` as Hex)
    const more = (CHARGED << 128n) + DEPOSIT
    await chain.client.setStorageAt({ address: batchSettlementAddress, index: slot, value: pad(toHex(more)) })
    expect(await audited.audit()).toEqual({ ...NO_OFFENCE, channel_sums: 2 })
  })
})

/** Runs a statement on channels that the database itself refuses. */
async function replaced(statement: string): Promise<void> {
  const { db } = audited.database
  await db.$executeRawUnsafe(`ALTER TABLE "Channel" DISABLE TRIGGER "Channel_keep"`)
  await db.$executeRawUnsafe(`ALTER TABLE "Channel" DROP CONSTRAINT "Channel_charged"`)
  await db.$executeRawUnsafe(statement)
}
