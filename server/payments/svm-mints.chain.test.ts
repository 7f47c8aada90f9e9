import { type Address, generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { post } from '../../test/support/service/client'
import { newClient } from '../../test/support/service/surface'
import { PROGRAMS, someAddress, svmTokenAccount, transferChecked } from '../../test/support/svm/forge'
import { startSvmHarness } from '../../test/support/svm/harness'
import { createMint, type TestMint } from '../../test/support/svm/mints'

const mints: Record<'dollar' | 'nine' | 'greedy', TestMint | undefined> = {
  dollar: undefined,
  nine: undefined,
  greedy: undefined,
}
const harness = fixture(() =>
  startSvmHarness({
    async prepare(solana) {
      mints.dollar = await createMint(solana)
      mints.nine = await createMint(solana, { program: PROGRAMS.token, decimals: 9 })
      mints.greedy = await createMint(solana, {
        extensions: (delegate) => [{ __kind: 'PermanentDelegate', delegate: asAddress(delegate) }],
      })
      const listed = [
        `USDT:${mints.dollar.mint}`,
        `NINE:${mints.nine.mint}`,
        `GREEDY:${mints.greedy.mint}`,
        `NONE:${someAddress()}`,
      ]
      // The minimum is that of six decimals: 1 is a thousand of nine.
      return { SOLANA_DEVNET_MINTS: listed.join(','), MIN_PAYMENT: '1' }
    },
  }),
)
const of = (name: keyof typeof mints): TestMint => {
  const mint = mints[name]
  if (!mint) throw new Error('the mints are made before the service')
  return mint
}

/** A payment of a new payer to a new recipient in a mint. */
async function purchase(name: keyof typeof mints, { balance = 5_000n, ...changed }: Parameters<typeof harness.purchase>[0] = {}) {
  const { mint, program, decimals, mintTo } = of(name)
  const [payer, payTo] = [changed.payer ?? (await generateKeyPairSigner()), changed.payTo ?? someAddress()]
  if (balance > 0n) await mintTo(payer.address, balance)
  if (changed.payTo === undefined) await mintTo(payTo, 0n)
  return harness.purchase({ mint, program, decimals, ...changed, payer, payTo })
}

test('/supported names USDC first, then the proven mints with their decimals, and no refused one', async () => {
  const { assets } = (await newClient(harness.app).supported()).body as { assets: object[] }
  expect(assets).toEqual([
    { network: harness.solana.network, asset: harness.solana.mint, symbol: 'USDC', decimals: 6 },
    { network: harness.solana.network, asset: of('dollar').mint, symbol: 'USDT', decimals: 6 },
    { network: harness.solana.network, asset: of('nine').mint, symbol: 'NINE', decimals: 9 },
  ])
})

describe.each(['dollar', 'nine'] as const)('a payment in the mint %s', (name) => {
  test.each(['body', 'v1Body'] as const)('is verified and settled: the tokens move, and history says so (%s)', async (form) => {
    const { payer, payTo, [form]: body } = await purchase(name)
    expect((await post(harness.app, 'verify', body)).body).toEqual({ isValid: true, payer: payer.address })
    expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: true, payer: payer.address })
    expect([await of(name).tokens(payer.address), await of(name).tokens(payTo)]).toEqual([4_000n, 1_000n])
    const rows = await harness.db.history.findMany({ where: { payTo }, select: { success: true, errorReason: true } })
    expect(rows).toEqual([{ success: true, errorReason: null }])
    const [{ asset } = { asset: '' }] = await harness.db.settlement.findMany({ where: { payTo }, select: { asset: true } })
    expect(asset).toBe(of(name).mint)
  })

  test('that takes the same money twice is signed once', async () => {
    const first = await purchase(name, { balance: 1_500n })
    const { payer, payTo } = first
    const second = await purchase(name, { balance: 0n, payer, payTo })
    const answers = await Promise.all([first, second].map(({ body }) => post(harness.app, 'settle', body)))
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(1)
    expect(await of(name).tokens(payTo)).toBe(1_000n)
  })

  test('of a payer with too little, and to a wallet without an account, says which token is missing', async () => {
    const poor = await post(harness.app, 'verify', (await purchase(name, { balance: 999n })).body)
    expect(poor.body).toMatchObject({ isValid: false, invalidMessage: expect.stringMatching(/balance is lower/) })
    const symbol = name === 'dollar' ? 'USDT' : 'NINE'
    const closed = await post(harness.app, 'verify', (await purchase(name, { payTo: someAddress() })).body)
    expect(closed.body).toMatchObject({
      isValid: false,
      invalidMessage: expect.stringContaining(`payTo has no ${symbol} account`),
    })
  })

  test('by the other token program, or with other decimals, is refused before any node is asked', async () => {
    const { mint, program } = of(name)
    const other = program === PROGRAMS.token ? PROGRAMS.token2022 : PROGRAMS.token
    const [payer, payTo] = [await generateKeyPairSigner(), someAddress()]
    const source = await svmTokenAccount(payer.address, mint, other)
    const destination = await svmTokenAccount(payTo, mint, other)
    const transfer = transferChecked({ source, destination, mint, program: other, authority: payer.address, amount: 1_000n })
    const instructions = (usual: Instruction[]) => usual.map((each, at) => (at === 2 ? transfer : each))
    const before = harness.node.seen.length
    const asked = [await harness.purchase({ mint, program, payer, payTo, instructions }), await purchaseOf(name, payer, payTo)]
    const reasons = await Promise.all(asked.map(async ({ body }) => (await post(harness.app, 'verify', body)).body.invalidReason))
    expect(reasons).toEqual(['invalid_exact_svm_payload_no_transfer_instruction', 'invalid_exact_svm_payload_mint_mismatch'])
    expect(harness.node.seen.slice(before)).not.toContain('simulateTransaction')
  })
})

const purchaseOf = (name: keyof typeof mints, payer: KeyPairSigner, payTo: string) =>
  harness.purchase({ mint: of(name).mint, program: of(name).program, decimals: 3, payer, payTo })

test('a payment in a refused or unknown mint is a 400 that names the tokens served', async () => {
  for (const mint of [of('greedy').mint, someAddress()]) {
    const { body } = await harness.purchase({ mint, program: PROGRAMS.token2022 })
    const answer = await post(harness.app, 'settle', body)
    const named = [harness.solana.mint, of('dollar').mint, of('nine').mint]
    expect([answer.status, answer.body.errorReason]).toEqual([400, 'invalid_payment_requirements'])
    for (const served of named) expect(JSON.stringify(answer.body)).toContain(served)
  }
})

// A mint's authority is a wallet, hence an address.
const asAddress = (text: string) => text as Address
