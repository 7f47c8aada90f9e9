import { encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import { expect } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../devnet/networks'
import type { Harness } from '../service/harness'
import { type Merchant, newMerchant } from '../service/surface'
import { type ChannelConfig, type ChannelForge, createChannelForge, type DepositChange, type Payer } from './channels'

/** The secret of the authorizers in tests. */
export const CHANNEL_SECRETS = 'the-secret-of-the-channels-of-these-tests'
const NETWORK = 'eip155:84532'
const { abi } = artifact('BatchSettlement')

/** A merchant whose channels the service keeps. */
export type Seller = Merchant & { forge: ChannelForge; receiver: Hex }

/** A channel with a deposit that the service settled. */
type Opened = Payer & { body: Record<string, unknown>; config: ChannelConfig; channelId: Hex }

/** When the service claims for a key. */
type Policy = { claimAbove?: bigint; claimAfterSeconds?: number; claimMaxGasPrice?: bigint }

/** Merchants of a running service and what their servers and payers do with channels. */
export function createSellers(running: () => Pick<Harness, 'app' | 'chain' | 'database'>) {
  const channelAt = (id: Hex) => ({ where: { network_id: { network: NETWORK, id } } })
  const read = (functionName: string, args: unknown[]): Promise<unknown> =>
    running().chain.client.readContract({ address: batchSettlementAddress, abi, functionName, args })

  return {
    async newSeller({ claimAbove, claimAfterSeconds, claimMaxGasPrice }: Policy = {}): Promise<Seller> {
      const { app, chain, database } = running()
      const merchant = await newMerchant(app)
      const { tenantId } = merchant
      const digits = (amount: bigint | undefined) => amount?.toString() ?? null
      const data = {
        claimAbove: digits(claimAbove),
        claimAfterSeconds: claimAfterSeconds ?? null,
        claimMaxGasPrice: digits(claimMaxGasPrice),
      }
      await database.db.tenant.update({ where: { id: tenantId }, data })
      const authorizer = app.authorizers.newest({ tenantId, key: { id: tenantId, version: 0 } })?.address ?? '0x'
      const receiver: Hex = `0x${tenantId.replaceAll('-', '')}00000000`
      return { ...merchant, forge: createChannelForge(chain, receiver, authorizer), receiver }
    },
    /** The payer deposits through the service. */
    async opened({ v1, forge }: Seller, change: DepositChange = {}): Promise<Opened> {
      const who = await forge.payer()
      const made = await forge.deposit(who, change)
      expect((await v1.settle(made.body)).body).toMatchObject({ success: true })
      return { ...who, ...made }
    },
    /** The merchant's server charges so much in all by a voucher over so much, which perhaps another account signed. */
    async charge(
      { forge }: Seller,
      { config, owner, channelId }: Opened,
      charged: bigint,
      { signed = charged, signer = owner }: { signed?: bigint; signer?: LocalAccount } = {},
    ): Promise<void> {
      const { signature } = await forge.row(config, signer, charged, signed)
      await running().database.db.channel.update({
        ...channelAt(channelId),
        data: { stored: true, charged: charged.toString(), signed: signed.toString(), signature },
      })
    },
    /** What is unclaimed of a channel becomes so many seconds old. */
    async age({ channelId }: Opened, seconds: number): Promise<void> {
      await running().database.db.channel.update({
        ...channelAt(channelId),
        data: { owedSince: new Date(Date.now() - seconds * 1_000) },
      })
    },
    row: ({ channelId }: Opened) => running().database.db.channel.findUniqueOrThrow(channelAt(channelId)),
    /** What is claimed of a channel on chain. */
    async claimed({ channelId }: Opened): Promise<bigint> {
      const state = await read('channels', [channelId])
      return Array.isArray(state) ? BigInt(state[1]) : 0n
    },
    /** The balance of a channel on chain. */
    async balance({ channelId }: Opened): Promise<bigint> {
      const state = await read('channels', [channelId])
      return Array.isArray(state) ? BigInt(state[0]) : 0n
    },
    /** The settlements of one kind of a merchant that were not freed, the oldest first. */
    acts: ({ tenantId }: Seller, kind: string) =>
      running().database.db.settlement.findMany({
        where: { tenantId, kind, state: { not: 'REJECTED' } },
        orderBy: { createdAt: 'asc' },
      }),
    /** An account calls the contract itself. */
    async sendAs(account: LocalAccount, functionName: string, args: unknown[]): Promise<void> {
      const { chain } = running()
      await chain.fund(account.address, 10n ** 18n)
      const data = encodeFunctionData({ abi, functionName, args })
      const hash = await chain.client.sendTransaction({ account, chain: chain.client.chain, to: batchSettlementAddress, data })
      expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe('success')
    },
    /** Moves the chain's clock. */
    async wait(seconds: number): Promise<void> {
      const { client } = running().chain
      await client.request({ method: 'evm_increaseTime' as never, params: [seconds] as never })
      await client.request({ method: 'evm_mine' as never, params: [] as never })
    },
  }
}
