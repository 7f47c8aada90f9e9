import { beforeAll, describe, expect, test } from 'vitest'
import { signerOf } from '../../devnet/solana/keys'
import { fixture } from '../../test/support/fixture'
import { post } from '../../test/support/service/client'
import { svmTokenAccount } from '../../test/support/svm/forge'
import { blockhashOf, startSvmHarness } from '../../test/support/svm/harness'
import { type Attempt, type Parties, soundPayments, svmBody, svmTricks } from '../../test/support/svm/tricks'

// Everything else about each payment is in order: the blockhash is new, the money is there, the shop can be paid.
const harness = fixture(() => startSvmHarness({ mainnet: true }))
let parties: Parties
beforeAll(async () => {
  const [payTo, payer, unrelated] = await Promise.all([harness.recipient(), harness.payer(), harness.payer()])
  const [feePayer, headroom] = await Promise.all([
    signerOf(harness.env.SOLANA_SANDBOX_SIGNER_KEYS ?? ''),
    signerOf(harness.env.SOLANA_SIGNER_KEYS ?? ''),
  ])
  const [source, destination] = await Promise.all([svmTokenAccount(payer.address), svmTokenAccount(payTo)])
  parties = { payer, unrelated, feePayer, headroom, payTo, source, destination }
})

const lamports = () => harness.solana.balance(parties.feePayer.address)
const sends = () => harness.node.seen.filter((method) => method === 'sendTransaction').length

async function bodyOf(attempt: Attempt, version: 1 | 2) {
  const blockhash = await blockhashOf(harness.solana)
  return svmBody(parties, { ...attempt, transaction: { blockhash, ...attempt.transaction } }, version)
}

describe('a trick costs the sponsor nothing: verify says no, settle is no success, nothing is sent', () => {
  const refused = svmTricks.filter(({ reason, reasonV1 }) => reason !== null && reasonV1 !== null)
  test.each(refused)('$title', async ({ make, reason, reasonV1 }) => {
    const attempt = await make(parties)
    const before = [await lamports(), sends(), await harness.solana.tokens(parties.payTo)]
    for (const [version, expected] of [
      [2, reason],
      [1, reasonV1 ?? reason],
    ] as const) {
      const body = await bodyOf(attempt, version)
      const verified = await post(harness.app, 'verify', body)
      const settled = await post(harness.app, 'settle', body)
      // What is asked for may be refused before anything is judged.
      if (verified.status !== 400) {
        expect(verified).toMatchObject({ status: 200, body: { isValid: false, invalidReason: expected } })
        expect(settled).toMatchObject({ status: 200, body: { success: false, errorReason: expected, transaction: '' } })
      } else expect(settled).toMatchObject({ status: 400, body: { success: false } })
    }
    expect([await lamports(), sends(), await harness.solana.tokens(parties.payTo)]).toEqual(before)
  })
})

describe('what wallets add is no trick', () => {
  test.each(soundPayments.filter(({ reason, onChain }) => reason === null && !onChain))('$title', async ({ make }) => {
    const attempt = await make(parties)
    expect((await post(harness.app, 'settle', await bodyOf(attempt, 2))).body).toMatchObject({ success: true })
  })
})
