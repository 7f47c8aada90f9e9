import { describe, expect, test } from 'vitest'
import { addressOf, refusal, tokenAccount, wireAccount } from '../../../test/support/svm/fake-cluster'
import { SVM_USDC as mint, svmV1Body } from '../../../test/support/svm/forge'
import {
  type Accounts,
  AMOUNT,
  destination,
  failed,
  judged,
  owner,
  payTo,
  simulated,
  source,
} from '../../../test/support/svm/judgement'
import { SYSTEM_PROGRAM } from '../../x402/schemes/exact/svm/programs'

describe('a transfer that would fail', () => {
  const custom = (code: number) => ({ InstructionError: [2, { Custom: code }] })
  const title = 'Solana devnet'

  test.each<[string, unknown, string[], string]>([
    [
      'with a blockhash that the chain does not know',
      'BlockhashNotFound',
      [],
      "The transaction's blockhash has expired or is not known on chain yet; sign again with a new one.",
    ],
    [
      'because it was on the chain already',
      'AlreadyProcessed',
      [],
      'This transaction was already processed on chain; sign a new one.',
    ],
    [
      'because a builtin runs out of compute units',
      { InstructionError: [0, 'ComputationalBudgetExceeded'] },
      [],
      'The transfer needs more compute units than the transaction allows; sign one with a higher limit.',
    ],
    [
      'because a program runs out of compute units',
      { InstructionError: [2, 'ProgramFailedToComplete'] },
      ['Program log: x', 'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA failed: exceeded CUs meter at BPF instruction'],
      'The transfer needs more compute units than the transaction allows; sign one with a higher limit.',
    ],
  ])('%s is explained by the error alone', async (_, err, logs, message) => {
    const { judgement, asked } = await judged({ simulation: simulated(err, { logs }) })
    expect(judgement).toEqual(failed(message))
    expect(asked).not.toContain('getMultipleAccounts')
  })

  test.each<[string, unknown, Partial<Accounts>, string]>([
    [
      'because payTo cannot hold USDC',
      { InstructionError: [2, 'InvalidAccountData'] },
      { destination: null },
      `payTo has no USDC account on ${title} (${destination}); it must be opened before it can be paid; we never create it.`,
    ],
    [
      'because the destination is something else',
      { InstructionError: [2, 'IncorrectProgramId'] },
      { destination: wireAccount(SYSTEM_PROGRAM, new Uint8Array()) },
      `The destination (${destination}) is not a token account.`,
    ],
    [
      'because the source is something else',
      { InstructionError: [2, 'IncorrectProgramId'] },
      { source: wireAccount(SYSTEM_PROGRAM, new Uint8Array()) },
      `The source (${source}) is not a token account.`,
    ],
    [
      'because the source is of another mint',
      custom(3),
      { source: tokenAccount({ mint: addressOf(8), owner, amount: AMOUNT }) },
      `The source (${source}) is of another mint.`,
    ],
    [
      'because the source is frozen',
      custom(17),
      { source: tokenAccount({ mint, owner, amount: AMOUNT, state: 2 }) },
      `The source (${source}) is frozen.`,
    ],
    [
      'because the destination is frozen',
      custom(17),
      { destination: tokenAccount({ mint, owner: payTo, amount: 0n, state: 2 }) },
      `The destination (${destination}) is frozen.`,
    ],
    [
      'because the payer has no right to the source',
      custom(4),
      { source: tokenAccount({ mint, owner: addressOf(7), amount: AMOUNT }) },
      `The source (${source}) is not the payer's own; a delegate's transfer is not accepted.`,
    ],
  ])('%s is explained by the accounts', async (_, err, accounts, message) => {
    const { judgement, asked } = await judged({ simulation: simulated(err), accounts })
    expect(judgement).toEqual(failed(message))
    expect(asked.filter((method) => method === 'getMultipleAccounts')).toHaveLength(1)
  })

  test.each<[string, Partial<Accounts>, string]>([
    ['has no account', { source: null }, `The payer has no USDC account on ${title} (${source}).`],
    [
      'has too little',
      { source: tokenAccount({ mint, owner, amount: AMOUNT - 1n }) },
      "The payer's balance is lower than the amount.",
    ],
  ])('because the payer %s is recorded as a lack of funds', async (_, accounts, message) => {
    const { judgement } = await judged({ simulation: simulated(custom(1)), accounts })
    expect(judgement).toEqual({ ...failed(message), recorded: 'insufficient_funds' })
  })

  test.each<[string, unknown, string]>([
    ['an assertion of the wallet', { InstructionError: [3, { Custom: 6_400 }] }, 'instruction 3: custom program error 0x1900'],
    ['a stop', { InstructionError: [2, 'ProgramFailedToComplete'] }, 'instruction 2: ProgramFailedToComplete'],
    ['a part that will not be read', { InstructionError: [2, { BorshIoError: 'x' }] }, 'instruction 2: BorshIoError'],
    ['rent of others', { InsufficientFundsForRent: { account_index: 3 } }, 'InsufficientFundsForRent'],
    ['an unknown error', { Surprise: { deep: [] }, More: 1 }, 'Surprise More'],
    ['a name', 'SanitizeFailure', 'SanitizeFailure'],
    ['text that would break a line', 'a\n<b>\u202e\u0000c', 'a<b>c'],
    ['endless text', 'x'.repeat(5_000), 'x'.repeat(120)],
  ])("for %s is explained by the node's text, printable and bounded", async (_, err, words) => {
    const { judgement } = await judged({ simulation: simulated(err) })
    expect(judgement).toEqual(failed(`The transfer would fail on chain: ${words}`))
  })

  test('for bytes that the node cannot run is explained by its text', async () => {
    const simulation = refusal(-32_602, 'invalid transaction: Transaction failed to sanitize accounts offsets correctly')
    const { judgement } = await judged({ simulation })
    const words = 'invalid transaction: Transaction failed to sanitize accounts offsets correctly'
    expect(judgement).toEqual(failed(`The transfer would fail on chain: ${words}`))
  })

  test('has the short code of x402 version 1 there', async () => {
    expect((await judged({ simulation: simulated('BlockhashNotFound') }, svmV1Body)).judgement).toMatchObject({
      reason: 'transaction_simulation_failed',
      message: expect.stringContaining('sign again'),
    })
    expect((await judged({ simulation: simulated(custom(1)), accounts: { source: null } }, svmV1Body)).judgement).toMatchObject({
      reason: 'transaction_simulation_failed',
      recorded: 'insufficient_funds',
    })
  })
})
