import { randomBytes } from 'node:crypto'
import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  partiallySignTransaction,
} from '@solana/kit'
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Solana, startSolana } from './solana'

const sol = 1_000_000_000n
let chain: Solana
beforeAll(async () => {
  chain = await startSolana({ cluster: 'devnet', slotMs: 3_600_000 })
})
afterAll(() => chain.stop())

test("the official client's payment, signed by a fee payer of ours, moves USDC and costs the payer nothing", async () => {
  const [payer, feePayer, merchant] = await Promise.all([
    generateKeyPairSigner(),
    generateKeyPairSigner(),
    generateKeyPairSigner(),
  ])
  await chain.airdrop(feePayer.address, sol)
  await chain.mintTo(payer.address, 5_000n)
  await chain.openAccount(merchant.address)
  const requirements = {
    scheme: 'exact',
    network: chain.network,
    asset: chain.mint,
    amount: '1000',
    payTo: merchant.address,
    maxTimeoutSeconds: 60,
    extra: { feePayer: feePayer.address },
  }
  const { payload } = await new ExactSvmScheme(payer, { rpcUrl: chain.url }).createPaymentPayload(2, requirements)
  const bytes = Buffer.from(String(payload.transaction), 'base64')
  const signed = await partiallySignTransaction([feePayer.keyPair], getTransactionDecoder().decode(bytes))

  const rpc = createSolanaRpc(chain.url)
  const raw = getBase64EncodedWireTransaction(signed)
  const unsigned = getBase64EncodedWireTransaction(getTransactionDecoder().decode(bytes))
  const judged = await rpc.simulateTransaction(unsigned, { encoding: 'base64', sigVerify: false, commitment: 'confirmed' }).send()
  expect(judged.value.err).toBeNull()
  const signature = await rpc.sendTransaction(raw, { encoding: 'base64', skipPreflight: true }).send()
  await chain.advance(2)
  const { value } = await rpc.getSignatureStatuses([signature]).send()
  expect(value[0]).toMatchObject({ err: null, confirmationStatus: 'confirmed' })
  expect([await chain.tokens(payer.address), await chain.tokens(merchant.address)]).toEqual([4_000n, 1_000n])
  const paid = await rpc
    .getTransaction(signature, { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 })
    .send()
  expect(await chain.balance(feePayer.address)).toBe(sol - (paid?.meta?.fee ?? 0n))
})

test('web3.js gets an airdrop, pays with a legacy transaction and sees it confirmed', async () => {
  const connection = new Connection(chain.url, 'confirmed')
  const [from, to] = [Keypair.generate(), Keypair.generate()]
  const airdrop = await connection.requestAirdrop(from.publicKey, Number(sol))
  await chain.advance(2)
  expect((await connection.getSignatureStatus(airdrop)).value).toMatchObject({ err: null, confirmationStatus: 'confirmed' })
  expect(await connection.getBalance(from.publicKey)).toBe(Number(sol))

  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const transfer = { fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: 5_000_000 }
  const transaction = new Transaction({ feePayer: from.publicKey, blockhash, lastValidBlockHeight })
  transaction.add(SystemProgram.transfer(transfer)).sign(from)
  expect((await connection.getFeeForMessage(transaction.compileMessage())).value).toBe(5_000)
  expect((await connection.simulateTransaction(transaction)).value.err).toBeNull()
  const signature = await connection.sendRawTransaction(transaction.serialize())
  await chain.advance(2)
  expect((await connection.getSignatureStatus(signature)).value).toMatchObject({ confirmationStatus: 'confirmed' })
  const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(found?.meta).toMatchObject({ err: null, fee: 5_000, postBalances: [994_995_000, 5_000_000, 1] })
  expect(found?.transaction.message.recentBlockhash).toBe(blockhash)
  expect(await connection.getBlockHeight()).toBeLessThanOrEqual(lastValidBlockHeight)
  expect((await connection.getEpochInfo()).blockHeight).toBe(await connection.getBlockHeight())
  expect(await connection.getMinimumBalanceForRentExemption(165)).toBe(2_039_280)
  expect(await connection.getAccountInfo(to.publicKey)).toMatchObject({ lamports: 5_000_000, owner: SystemProgram.programId })
})

test('web3.js reads token accounts, and gets the reason of a failed preflight', async () => {
  const connection = new Connection(chain.url, 'confirmed')
  const owner = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(32))
  const account = new PublicKey(await chain.mintTo(owner.address, 1_250_000n))
  expect((await connection.getTokenAccountBalance(account)).value).toMatchObject({ amount: '1250000', uiAmountString: '1.25' })
  const [found] = await connection.getMultipleAccountsInfo([account])
  expect(found?.data.length).toBe(165)

  const poor = Keypair.generate()
  const transfer = { fromPubkey: poor.publicKey, toPubkey: account, lamports: 1 }
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const transaction = new Transaction({ feePayer: poor.publicKey, blockhash, lastValidBlockHeight })
  transaction.add(SystemProgram.transfer(transfer)).sign(poor)
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow(
    'Attempt to debit an account but found no record of a prior credit.',
  )
})
