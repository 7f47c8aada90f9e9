import { type Address, type Hex, type LocalAccount, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { artifact } from '../../../devnet/artifacts'
import { batchSettlementAddress } from '../../../devnet/networks'
import { type ChannelConfig, createChannelForge, DEPOSIT, signClaims } from '../../../test/support/batch-settlement/channels'
import { fixture } from '../../../test/support/fixture'
import { startHarness } from '../../../test/support/service/harness'
import { newClient, newMerchant } from '../../../test/support/service/surface'

const harness = fixture(() =>
  startHarness({ production: true, env: { KYT: 'off', CHANNEL_SECRETS: 'the-secret-of-the-channels-of-these-tests' } }),
)
const P = 'invalid_batch_settlement_evm_'
const { abi } = artifact('BatchSettlement')

const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** A merchant whose authorizer is kept by the service, or is at this address and signs with this key. */
async function newSeller(own?: LocalAccount, at: Address | undefined = own?.address) {
  const merchant = await newMerchant(harness.app)
  const kept = harness.app.authorizers.newest({ tenantId: merchant.tenantId, key: { id: merchant.tenantId, version: 0 } })
  return { ...merchant, forge: createChannelForge(harness.chain, newAccount().address, at ?? kept?.address ?? '0x', own) }
}
type Seller = Awaited<ReturnType<typeof newSeller>>

/** A channel with a deposit. */
async function opened({ v1, forge }: Seller, config: Partial<ChannelConfig> = {}) {
  const who = await forge.payer()
  const made = await forge.deposit(who, { config })
  expect((await v1.settle(made.body)).body).toMatchObject({ success: true })
  return { ...who, ...made }
}

const claimedOf = async (channelId: Hex): Promise<bigint> => {
  const state = await harness.chain.client.readContract({
    address: batchSettlementAddress,
    abi,
    functionName: 'channels',
    args: [channelId],
  })
  return Array.isArray(state) ? BigInt(state[1]) : 0n
}

const hashOf = (body: unknown): Hex => Object(body).transaction
const gasLimitOf = async (hash: Hex) => (await harness.chain.client.getTransaction({ hash })).gas

/** As many channels that nobody opened, whose payers' code would decide. */
const unopened = async ({ forge }: Seller, count: number) => {
  const payer = newAccount()
  const config = forge.configOf({ from: payer.address, owner: payer }, { payerAuthorizer: zeroAddress })
  return Promise.all(
    Array.from({ length: count }, async (_, at) => ({
      ...(await forge.row({ ...config, salt: `0x${at.toString(16).padStart(64, '0')}` }, payer, 0n)),
      signature: '0x' as const,
    })),
  )
}

/** Code of a wallet that approves everything where this instruction pushes 0, and nothing elsewhere. */
const approvingWhere = (instruction: 'ORIGIN' | 'GASPRICE'): Hex =>
  `0x${instruction === 'ORIGIN' ? '32' : '3a'}156009576020${'5ff35b'}631626ba7e60e01b5f5260205ff3`

/** Code of a wallet that approves everything for about 225,000 gas: it grows its memory. */
const HUNGRY: Hex = '0x6204e2005150631626ba7e60e01b5f5260205ff3'

const placeCode = (address: Address, bytecode: Hex) => harness.chain.client.setCode({ address, bytecode })

describe('the gas of an act', () => {
  test('is never above what one transaction may take: such a claim is refused and nothing is signed', async () => {
    const own = newAccount()
    const seller = await newSeller(own)
    const { config, owner, channelId } = await opened(seller)
    const rows = [await seller.forge.row(config, owner, 10n), ...(await unopened(seller, 60))]
    const { body } = await newClient(harness.app).settle(seller.forge.claims(rows, await signClaims(84532, own, rows)))
    expect(body).toMatchObject({
      errorReason: `${P}claim_simulation_failed`,
      errorMessage: expect.stringContaining('more gas than one transaction may'),
    })
    expect(await claimedOf(channelId)).toBe(0n)
  })

  test('is none for rows that were claimed before, or that nobody opened', async () => {
    const seller = await newSeller()
    const [one, other] = [await opened(seller), await opened(seller)]
    const row = await seller.forge.row(one.config, one.owner, 10n)
    expect((await seller.v1.settle(seller.forge.claims([row]))).body).toMatchObject({ success: true })
    const more = await seller.forge.row(other.config, other.owner, 20n)
    const { body } = await seller.v1.settle(seller.forge.claims([row, more, ...(await unopened(seller, 60))]))
    expect(body).toMatchObject({ success: true, amount: '20' })
    expect(await gasLimitOf(hashOf(body))).toBeLessThan(150_000n)
  })

  test('is what the act is tried with: an authorizer whose code takes more is refused before anything is sent', async () => {
    const own = newAccount()
    const [at, hungry] = [newAccount().address, newAccount().address]
    const sellers = [await newSeller(own, at), await newSeller(own, hungry)]
    const claims = await Promise.all(
      sellers.map(async (seller) => {
        const { config, owner } = await opened(seller)
        const rows = [await seller.forge.row(config, owner, 10n)]
        return seller.forge.claims(rows, await signClaims(84532, own, rows))
      }),
    )
    await placeCode(at, approvingWhere('ORIGIN').replace('3215', '5f15') as Hex)
    await placeCode(hungry, HUNGRY)
    const answers = await Promise.all(claims.map(async (body, index) => (await sellers[index]?.v1.settle(body))?.body))
    expect(answers).toMatchObject([{ success: true }, { success: false, errorReason: `${P}claim_simulation_failed` }])
  })

  test('is not spent on signatures longer than those of any wallet', async () => {
    const own = newAccount()
    const [seller, signing] = [await newSeller(), await newSeller(own)]
    const long: Hex = `0x${'00'.repeat(2_049)}`
    const [{ config, owner, channelId }, other] = [await opened(seller), await opened(signing)]
    const good = await seller.forge.row(config, owner, 10n)
    const { body } = await seller.v1.settle(seller.forge.claims([good, { ...(await unopened(seller, 1))[0]!, signature: long }]))
    expect(body).toMatchObject({ success: true, amount: '10', extra: { leftOut: [{ error: 'InvalidSignature' }] } })
    const row = await signing.forge.row(other.config, other.owner, 10n)
    expect((await signing.v1.settle(signing.forge.claims([row], long))).body).toMatchObject({ success: false })
    expect(await claimedOf(channelId)).toBe(10n)
    expect(DEPOSIT).toBeGreaterThan(10n)
  })
})
