import { address, createSolanaRpc, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forged, newest, solanaTransactions } from '../../test/support/svm/transactions'
import { type Solana, startSolana } from './solana'
import { lamportTransfer, signed, tokenTransfer } from './transfers'

const sol = 1_000_000_000n
let chain: Solana
let payer: KeyPairSigner
let merchant: KeyPairSigner

// The test makes the blocks: an hour never passes here.
beforeAll(async () => {
  chain = await startSolana({ cluster: 'devnet', slotMs: 3_600_000, finalizedSlots: 8 })
})
afterAll(() => chain.stop())
beforeEach(async () => {
  ;[payer, merchant] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])
})

const { answer, blockhash, status, send, simulate } = solanaTransactions(() => chain.url)

async function withUsdc(amount: bigint): Promise<void> {
  await chain.airdrop(payer.address, sol)
  await chain.mintTo(payer.address, amount)
  await chain.openAccount(merchant.address)
}

describe('a transaction', () => {
  test('is in the next block, then confirmed, then finalized', async () => {
    await withUsdc(100n)
    const paid = await tokenTransfer(payer, merchant.address, 60n, chain.mint, await blockhash())
    expect(await send(paid)).toEqual({ jsonrpc: '2.0', id: 7, result: paid.signature })
    expect(await status(paid)).toBeNull()
    await chain.advance(1)
    expect(await status(paid)).toMatchObject({ err: null, confirmationStatus: 'processed', confirmations: 0 })
    expect([await chain.tokens(payer.address), await chain.tokens(merchant.address)]).toEqual([40n, 60n])
    await chain.advance(1)
    expect(await status(paid)).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 1 })
    await chain.advance(6)
    expect(await status(paid)).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 7 })
    await chain.advance(1)
    expect(await status(paid)).toMatchObject({ confirmationStatus: 'finalized', confirmations: null })
  })

  test('is shown with its fee and balances once it has reached the requested commitment', async () => {
    await withUsdc(100n)
    const paid = await tokenTransfer(payer, merchant.address, 60n, chain.mint, await blockhash())
    await send(paid)
    await chain.advance(2)
    const rpc = createSolanaRpc(chain.url)
    const landed = (commitment: 'confirmed' | 'finalized') =>
      rpc.getTransaction(paid.signature, { encoding: 'json', maxSupportedTransactionVersion: 0, commitment }).send()
    expect(await landed('finalized')).toBeNull()
    const { meta } = (await landed('confirmed')) ?? {}
    expect(meta).toMatchObject({ err: null, fee: 5_000n })
    const held = meta?.postTokenBalances?.map(({ owner, uiTokenAmount }) => `${owner} ${uiTokenAmount.amount}`)
    expect(held?.sort()).toEqual([`${payer.address} 40`, `${merchant.address} 60`].sort())
    const [listed] = await rpc.getSignaturesForAddress(payer.address, { commitment: 'confirmed' }).send()
    expect(listed).toMatchObject({ signature: paid.signature, err: null, confirmationStatus: 'confirmed' })
  })

  test('never lands once its blockhash is 150 blocks old', async () => {
    await withUsdc(100n)
    const latest = (await answer('getLatestBlockhash', newest)).result.value
    const late = await tokenTransfer(payer, merchant.address, 1n, chain.mint, latest.blockhash)
    await chain.advance(150)
    expect((await answer('getBlockHeight', newest)).result).toBe(latest.lastValidBlockHeight)
    expect((await answer('isBlockhashValid', latest.blockhash, newest)).result.value).toBe(true)
    await send(late)
    await chain.advance(1)
    expect((await answer('isBlockhashValid', latest.blockhash, newest)).result.value).toBe(false)
    expect(await status(late)).toBeNull()
    expect((await simulate(late)).value).toMatchObject({ err: 'BlockhashNotFound' })
    expect((await simulate(late, { replaceRecentBlockhash: true })).value).toMatchObject({ err: null })
    expect([await chain.tokens(merchant.address), await chain.balance(payer.address)]).toEqual([0n, sol])
  })

  test('lands in the last block of its blockhash', async () => {
    await withUsdc(100n)
    const last = await tokenTransfer(payer, merchant.address, 1n, chain.mint, await blockhash())
    await chain.advance(149)
    await send(last)
    await chain.advance(1)
    expect(await status(last)).toMatchObject({ err: null })
  })

  test('a blockhash that is not confirmed yet is unknown at the commitment confirmed', async () => {
    await withUsdc(100n)
    await chain.advance(1)
    const early = await tokenTransfer(payer, merchant.address, 1n, chain.mint, await blockhash())
    expect((await simulate(early, { commitment: 'confirmed' })).value).toMatchObject({ err: 'BlockhashNotFound' })
    await chain.advance(1)
    expect((await simulate(early, { commitment: 'confirmed' })).value).toMatchObject({ err: null })
  })

  test('with a bad signature never lands, and simulates only without sigVerify', async () => {
    await withUsdc(100n)
    const paid = await tokenTransfer(payer, merchant.address, 1n, chain.mint, await blockhash())
    const raw = forged(paid)
    const { result } = await answer('sendTransaction', raw, { encoding: 'base64', skipPreflight: true })
    await chain.advance(1)
    expect(await status({ signature: result })).toBeNull()
    expect(await chain.tokens(merchant.address)).toBe(0n)
    expect((await simulate({ raw })).value).toMatchObject({ err: null })
    const refusal = { code: -32003, message: 'Transaction signature verification failure' }
    const checked = { encoding: 'base64', sigVerify: true, ...newest }
    expect((await answer('simulateTransaction', raw, checked)).error).toEqual(refusal)
    expect((await answer('sendTransaction', raw, { encoding: 'base64' })).error).toEqual(refusal)
  })

  test('lands once however often its message is sent', async () => {
    await withUsdc(100n)
    const paid = await tokenTransfer(payer, merchant.address, 10n, chain.mint, await blockhash())
    await send(paid)
    await send(paid)
    await chain.advance(1)
    await send(paid)
    await chain.advance(1)
    expect(await chain.tokens(merchant.address)).toBe(10n)
    expect((await simulate(paid)).value).toMatchObject({ err: 'AlreadyProcessed' })
    const otherSignature = { ...paid, raw: forged(paid) }
    expect((await simulate(otherSignature)).value).toMatchObject({ err: 'AlreadyProcessed' })
    const { error } = await answer('sendTransaction', paid.raw, { encoding: 'base64', preflightCommitment: 'processed' })
    expect(error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    })
  })

  test('that fails lands with its error and costs its fee', async () => {
    await withUsdc(5n)
    const tooMuch = await tokenTransfer(payer, merchant.address, 6n, chain.mint, await blockhash())
    const err = { InstructionError: [0, { Custom: 1 }] }
    const { value } = await simulate(tooMuch, { accounts: { addresses: [payer.address], encoding: 'base64' } })
    expect(value).toMatchObject({ err, accounts: [null] })
    await send(tooMuch)
    await chain.advance(1)
    expect(await status(tooMuch)).toMatchObject({ err, status: { Err: err } })
    expect([await chain.balance(payer.address), await chain.tokens(payer.address)]).toEqual([sol - 5_000n, 5n])
  })

  test('that calls a missing program lands for its fee alone', async () => {
    await chain.airdrop(payer.address, sol)
    const lost = await signed(payer, await blockhash(), { programAddress: merchant.address })
    await send(lost)
    await chain.advance(1)
    expect(await status(lost)).toMatchObject({ err: 'InvalidProgramForExecution' })
    expect(await chain.balance(payer.address)).toBe(sol - 5_000n)
  })

  test('pays for compute units with its fee, as getFeeForMessage says', async () => {
    await chain.airdrop(payer.address, sol)
    const [limit, price] = [Buffer.from('02409c0000', 'hex'), Buffer.from('0340420f0000000000', 'hex')]
    const budget = { programAddress: address('ComputeBudget111111111111111111111111111111') }
    const dear = await signed(payer, await blockhash(), { ...budget, data: limit }, { ...budget, data: price })
    const message = Buffer.from(dear.raw, 'base64').subarray(65).toString('base64')
    expect((await answer('getFeeForMessage', message, newest)).result.value).toBe(45_000)
    await send(dear)
    await chain.advance(1)
    expect(await chain.balance(payer.address)).toBe(sol - 45_000n)
  })

  test('whose payer has nothing, or too little for the fee, is in no block', async () => {
    const poor = await generateKeyPairSigner()
    const send1 = async () => lamportTransfer(poor, merchant.address, 1n, await blockhash())
    expect((await simulate(await send1())).value).toMatchObject({ err: 'AccountNotFound' })
    await chain.setLamports(poor.address, 4_999n)
    const unpaid = await send1()
    expect((await simulate(unpaid)).value).toMatchObject({ err: 'InsufficientFundsForFee' })
    await send(unpaid)
    await chain.advance(1)
    expect([await status(unpaid), await chain.balance(poor.address)]).toEqual([null, 4_999n])
  })

  test('must leave its fee payer at least the rent', async () => {
    await chain.setLamports(payer.address, 1_000_000n)
    const greedy = await lamportTransfer(payer, merchant.address, 900_000n, await blockhash())
    expect((await simulate(greedy)).value).toMatchObject({ err: { InsufficientFundsForRent: { account_index: 0 } } })
  })

  test('shows its effects in a simulation, and changes nothing', async () => {
    await chain.airdrop(payer.address, sol)
    const paid = await lamportTransfer(payer, merchant.address, sol / 2n, await blockhash())
    const accounts = { addresses: [merchant.address, payer.address], encoding: 'base64' }
    const { value } = await simulate(paid, { accounts })
    expect(value).toMatchObject({
      err: null,
      unitsConsumed: 150,
      accounts: [{ lamports: 500_000_000 }, { lamports: 499_995_000 }],
    })
    expect(await chain.balance(payer.address)).toBe(sol)
  })

  test('that a node cannot read is refused', async () => {
    const paid = await lamportTransfer(payer, merchant.address, 1n, await blockhash())
    const cut = Buffer.from(paid.raw, 'base64').subarray(0, -3).toString('base64')
    for (const raw of ['', 'AAAA', cut, 'A'.repeat(4_000)]) {
      expect((await answer('sendTransaction', raw, { encoding: 'base64', skipPreflight: true })).error.code).toBe(-32602)
    }
    expect((await answer('getHealth')).result).toBe('ok')
  })
})

describe('a chain', () => {
  test('has the genesis hash and the USDC of its cluster', async () => {
    const other = await startSolana({ cluster: 'mainnet' })
    try {
      const genesis = await Promise.all([chain, other].map(({ url }) => createSolanaRpc(url).getGenesisHash().send()))
      expect(genesis.map((hash, index) => hash.startsWith([chain, other][index]?.network.slice(7) ?? '-'))).toEqual([true, true])
      await other.mintTo(payer.address, 3n)
      expect([await chain.tokens(payer.address), await other.tokens(payer.address)]).toEqual([0n, 3n])
      expect(chain.mint).not.toBe(other.mint)
    } finally {
      await other.stop()
    }
  })

  test('answers a batch of calls, and refuses unknown methods', async () => {
    const body = JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'getHealth' },
      { jsonrpc: '2.0', id: 'two', method: 'getNothing', params: [] },
      { jsonrpc: '2.0', id: 3, method: 'getBalance', params: ['not an address'] },
    ])
    const response = await fetch(chain.url, { method: 'POST', body })
    expect(await response.json()).toEqual([
      { jsonrpc: '2.0', id: 1, result: 'ok' },
      { jsonrpc: '2.0', id: 'two', error: { code: -32601, message: 'Method not found' } },
      { jsonrpc: '2.0', id: 3, error: { code: -32602, message: 'Invalid params: 0 must be 32 bytes in base58' } },
    ])
  })
})
