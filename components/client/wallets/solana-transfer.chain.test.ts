import { webcrypto } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf, newSecretKey, signerOf } from '../../../devnet/solana/keys'
import type { TransferParts } from '../../../server/agents/purchase-payment'
import { decodeTransaction } from '../../../server/x402/schemes/exact/svm/transaction'
import { fixture } from '../../../test/support/fixture'
import { agentsOf } from '../../../test/support/service/agents'
import { dataOf, pagesOf, wallet } from '../../../test/support/service/dashboard'
import { someAddress } from '../../../test/support/svm/forge'
import { startSvmHarness } from '../../../test/support/svm/harness'
import { solanaPayload, solanaTransfer } from './solana-transfer'
import { isSvmTerms, paymentHeader, readRequired } from './terms'

const payTo = someAddress()
const harness = fixture(() => startSvmHarness({ env: { PURCHASE_NETWORKS: 'solana-devnet', PURCHASE_PAY_TO_SOLANA: payTo } }))
let agents: ReturnType<typeof agentsOf>
beforeAll(async () => {
  await harness.solana.openAccount(payTo)
  agents = agentsOf(harness.app)
})

/** The unsigned transaction and its inputs. */
async function unsigned(credits: number, payer: string) {
  const offer = await agents.offer(`?credits=${credits}`)
  const { resource, accepts } = readRequired(offer.headers.get('payment-required') ?? '')
  const terms = accepts.find(isSvmTerms)
  if (!terms) throw new Error('no Solana offer')
  const pages = pagesOf(harness.app, wallet(payer))
  const parts = dataOf<TransferParts>(await pages.query('agent.solanaTransfer', { network: terms.network }))
  return { resource, terms, parts, transaction: solanaTransfer(terms, payer, parts) }
}

/** Signs as a wallet: fills the second signature and leaves the fee payer's empty. */
async function signedBy(secretKey: string, transaction: Uint8Array): Promise<Uint8Array> {
  const { keyPair } = await signerOf(secretKey)
  const message = transaction.subarray(1 + 2 * 64)
  const signature = new Uint8Array(await webcrypto.subtle.sign('Ed25519', keyPair.privateKey, Uint8Array.from(message)))
  return Buffer.concat([transaction.subarray(0, 65), signature, message])
}

describe('the Solana transaction for credits', () => {
  test('is version 0 and transfers the price to the operator account with a unique memo', async () => {
    const payer = addressOf(newSecretKey())
    const { terms, parts, transaction } = await unsigned(250, payer)
    const read = decodeTransaction(solanaPayload(transaction).transaction)
    expect(read).toMatchObject({ version: 0, blockhash: parts.blockhash, lookups: 0 })
    expect(read?.accounts.slice(0, 2)).toEqual([terms.extra.feePayer, payer])
    expect(read?.instructions.map(({ accounts }) => accounts)).toEqual([
      [],
      [],
      [parts.source, terms.asset, parts.destination, payer],
      [],
    ])
    expect(solanaTransfer(terms, payer, parts)).not.toEqual(transaction)
  })

  test('carries the memo of the terms, of any length', async () => {
    const { terms, parts } = await unsigned(100, addressOf(newSecretKey()))
    const memo = 'é'.repeat(100)
    const wanted = { ...terms, extra: { ...terms.extra, memo } }
    const read = decodeTransaction(solanaPayload(solanaTransfer(wanted, someAddress(), parts)).transaction)
    expect(new TextDecoder().decode(read?.instructions.at(-1)?.data)).toBe(memo)
  })

  test('buys credits once the wallet has signed', async () => {
    const secretKey = newSecretKey()
    const payer = addressOf(secretKey)
    await harness.solana.mintTo(payer, 1_000_000n)
    const { resource, terms, transaction } = await unsigned(300, payer)
    const payload = solanaPayload(await signedBy(secretKey, transaction))
    const answer = await agents.buy({ 'payment-signature': paymentHeader(resource, terms, payload) })
    expect(answer).toMatchObject({ status: 200, body: { status: 'paid', credits_added: 300, wallet: payer } })
    expect(await harness.solana.tokens(payer)).toBe(700_000n)
  })
})

test.each([
  ['an Ethereum wallet', '0x1111111111111111111111111111111111111111', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ['a network without credits for sale', addressOf(newSecretKey()), 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['an Ethereum network', addressOf(newSecretKey()), 'eip155:84532'],
])('the service refuses the parts for %s', async (_what, payer, network) => {
  const answer = await pagesOf(harness.app, wallet(payer)).query('agent.solanaTransfer', { network })
  expect(answer).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
})
