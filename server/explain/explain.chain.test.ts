import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { authorization, signUnder, usdcDomain } from '../../devnet/authorization'
import { gatedHarness } from '../../test/support/nodes/gated-harness'
import { PAY_TO, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { left, newClient, newMerchant } from '../../test/support/service/surface'
import type { Check, Explanation } from './checks'

const { harness } = gatedHarness({ production: true, env: { KYT: 'off' } })

type Json = Record<string, unknown>

/** The answer to a question, with its checks by name. */
async function explained(question: unknown, client: Pick<ReturnType<typeof newClient>, 'explain'> = newClient(harness.app)) {
  const { status, body } = await client.explain(question)
  const answer: Explanation = Object(body)
  expect(status).toBe(200)
  return { ...answer, check: (name: string) => answer.checks.find((one) => one.name === name) }
}

const failedIn = ({ checks }: { checks: Check[] }) => checks.flatMap(({ name, status }) => (status === 'failed' ? [name] : []))
const header = (body: Json) => Buffer.from(JSON.stringify(body.paymentPayload)).toString('base64')

describe('POST /sandbox/explain', () => {
  test('says that a good payment passes every check but screening, and moves, counts and writes nothing', async () => {
    const client = newClient(harness.app)
    const body = v2Body(await signed(await harness.payer()))
    const answer = await explained({ input: body }, client)
    expect(answer).toMatchObject({ kind: 'payment_request', x402Version: 2, scheme: 'exact', network: 'eip155:84532' })
    expect([failedIn(answer), answer.verdict]).toEqual([[], { isValid: true, invalidReason: null }])
    expect(answer.checks.filter(({ status }) => status !== 'passed').map(({ name }) => name)).toEqual(['screening'])
    expect(answer.check('chain')?.evidence).toMatch(/^Block \d+ of Base Sepolia was read/)
    expect(await harness.app.db.history.count()).toBe(0)
    expect(left(await client.verify(body)).verifications).toBe('4999')
  })

  test('names the balance, what is short, and who must do what', async () => {
    const payer = await harness.payer(250n)
    const answer = await explained({ input: header(v1Body(await signed(payer))) })
    expect(answer.verdict).toEqual({ isValid: false, invalidReason: 'invalid_exact_evm_insufficient_balance' })
    expect(answer.check('balance')).toMatchObject({
      status: 'failed',
      evidence: expect.stringMatching(
        /The payer has 0\.00025 USDC \(250\) in block \d+; the payment needs 0\.001 USDC \(1000\), which is 0\.00075 USDC \(750\) more\./,
      ),
      remedy: expect.stringContaining('The payer must add USDC'),
    })
    expect(answer.check('nonce')).toMatchObject({ status: 'passed', evidence: expect.stringContaining('is unused') })
  })

  test('goes on after the first failure, and asks the chain only where verify does', async () => {
    const [payer, other] = [await harness.payer(), privateKeyToAccount(generatePrivateKey())]
    const payment = await signed(payer, { to: other.address, value: 7n, validBefore: 1_000n })
    const answer = await explained({ input: v2Body(payment) })
    expect(failedIn(answer)).toEqual(['recipient', 'valid_before', 'amount'])
    expect(answer.verdict).toMatchObject({ invalidReason: 'invalid_exact_evm_recipient_mismatch' })
    expect(answer.check('valid_before')?.evidence).toMatch(
      /The authorization expired 5\d years ago: validBefore is 1970-01-01 00:16:40 UTC\./,
    )
    expect(answer.headline).toBe('Verify would refuse this payment: Recipient mismatch')
    expect(answer.check('balance')).toMatchObject({ status: 'not_reached' })
  })

  test('repeats a long URL or a long name only in part', async () => {
    const long = '-eyJ'.repeat(3_900)
    const url = await explained({ input: `https://${long}` })
    expect(url.check('content')?.remedy).toBe('Run curl -sS -i with this URL and paste what it prints.')
    const named = await explained({ input: { [long]: 1 } })
    expect(named.check('content')?.evidence.length).toBeLessThan(400)
    const offered = await explained({ input: { x402Version: 2, accepts: [{ [long]: 1 }] } })
    expect(Math.max(...offered.fields.map(({ name }) => name.length))).toBe(300)
  })

  test('names the recovered signer of a payment that another key signed', async () => {
    const [payer, other] = [await harness.payer(), await harness.payer()]
    const { authorization } = await signed(payer)
    const { signature } = await signed(other)
    const answer = await explained({ input: v2Body({ authorization, signature }) })
    expect(failedIn(answer)).toContain('signature')
    expect(answer.check('signature')?.evidence).toMatch(/The signature recovers to 0x\w{40}; "from" is 0x\w{40}\./)
  })

  test('names the domain or the network for which a signature holds, and no other remedy for the failed transfer', async () => {
    const payer = await harness.payer()
    const elsewhere = await explained({ input: v2Body(await signed(payer, {}, 8453)) })
    expect(elsewhere.check('signature')).toMatchObject({
      evidence: expect.stringContaining('It is a signature of "from" for Base with the domain "USD Coin", version "2".'),
      remedy: expect.stringMatching(/must sign for Base Sepolia with the domain "USDC", version "2"/),
    })
    expect(elsewhere.check('simulation')?.remedy).toBe('Fix the check "Signature": the transfer fails with it.')
    const message = authorization({ from: payer.address, to: PAY_TO, value: 1_000n })
    const misnamed = {
      authorization: message,
      signature: await signUnder({ ...usdcDomain(84532), name: 'USD Coin' }, payer, message),
    }
    expect((await explained({ input: v2Body(misnamed) })).check('signature')?.evidence).toContain(
      'It is a signature of "from" for Base Sepolia with the domain "USD Coin", version "2".',
    )
  })

  test('has a remedy for each failed check', async () => {
    const poor = await harness.payer(250n)
    const inputs = [v2Body(await signed(poor)), v2Body(await signed(poor, {}, 8453)), { paymentPayload: 7 }, 'nothing', {}]
    for (const input of inputs) {
      const failed = (await explained({ input })).checks.filter(({ status }) => status === 'failed')
      expect([failed.length > 0, failed.filter(({ remedy }) => !remedy)]).toEqual([true, []])
    }
  })

  test('says that a header was cut off, and after how many characters', async () => {
    const body = v2Body(await signed(await harness.payer()))
    const whole = header(body)
    for (const length of [301, 500]) {
      const cut = whole.slice(0, length)
      for (const input of [cut, `PAYMENT-SIGNATURE: ${cut}`]) {
        const answer = await explained({ input })
        expect(answer.headline).toBe(`The header is cut off after ${length} characters`)
        expect(answer.check('content')).toMatchObject({
          evidence: expect.stringMatching(new RegExp(`is cut off after ${length} characters\\.$`)),
          remedy: expect.stringContaining('Copy the whole header'),
        })
      }
      expect((await explained({ input: { ...body, paymentPayload: cut } })).check('format')).toMatchObject({
        evidence: `paymentPayload is cut off after ${length} characters.`,
        remedy: expect.stringContaining('Copy the whole header'),
      })
    }
    const json = JSON.stringify(body).slice(0, 400)
    expect((await explained({ input: json })).check('content')?.evidence).toBe('The input is cut off after 400 characters.')
  })

  test('says of what is no payment that it is none', async () => {
    for (const input of ['nothing', '{"a" 1}', { city: 'Lisbon' }]) {
      expect(await explained({ input })).toMatchObject({ kind: 'unknown', headline: 'This is not a payment' })
    }
  })

  test('says of a failed settlement why it failed and whether its payer could pay today', async () => {
    const payer = await harness.payer(250n)
    const client = newClient(harness.app)
    const id = (await client.settle(v2Body(await signed(payer)))).headers.get('x-settlement-id') ?? ''
    const poor = await explained({ input: id }, client)
    expect([poor.kind, poor.headline]).toEqual(['settlement', 'The payment failed: Insufficient funds'])
    expect(poor.check('outcome')).toMatchObject({ status: 'failed', remedy: expect.stringContaining('The payer must add USDC') })
    expect(poor.check('balance_today')).toMatchObject({
      status: 'failed',
      evidence: 'The payer has 0.00025 USDC (250) on Base Sepolia now; the payment needs 0.001 USDC (1000).',
    })
    expect(poor.check('network_served')?.status).toBe('passed')
    expect(poor.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['id', 'reason', 'amount', 'payer', 'createdAt']))
    await harness.chain.mint(payer.address, 5_000n)
    expect((await explained({ input: id }, client)).check('balance_today')).toMatchObject({ status: 'passed' })
  })

  test('names the network that a misspelled one comes near', async () => {
    const payment = await signed(await harness.payer())
    const format = async (network: string) =>
      (await explained({ input: v2Body(payment, { requirements: { network } }) })).check('format')?.remedy
    const near = 'Did you mean "base-sepolia"? Version 2 writes it "eip155:84532", version 1 "base-sepolia".'
    expect(await Promise.all(['base_sepolia', 'Base Sepolia', 'base-sepolla'].map(format))).toEqual([near, near, near])
    expect(await format('my-own-chain')).not.toContain('Did you mean')
    const alone = await explained({ input: v1Body(payment, { payload: { network: 'basesepolia' } }).paymentPayload })
    expect(alone.check('network_served')).toMatchObject({ status: 'failed', remedy: near })
  })

  test('explains a reason code alone', async () => {
    const answer = await explained({ input: ' duplicate_settlement\n' })
    expect([answer.kind, answer.verdict.isValid]).toEqual(['reason', null])
    expect(answer.check('outcome')).toMatchObject({
      status: 'failed',
      reason: 'duplicate_settlement',
      remedy: expect.any(String),
    })
  })

  test('blames the merchant for a payment whose time is too short for anyone', async () => {
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const late = await signed(await harness.payer(), { validBefore: now + 1n })
    const answer = await explained({ input: v2Body(late, { requirements: { maxTimeoutSeconds: 1 } }) })
    expect(answer.check('valid_before')?.remedy).toMatch(/^The merchant must raise maxTimeoutSeconds \(1\) well above 6/)
  })

  test('tells the settlement of a paid authorization to its caller only', async () => {
    const client = newClient(harness.app)
    const body = v2Body(await signed(await harness.payer()))
    const id = (await client.settle(body)).headers.get('x-settlement-id') ?? ''
    const own = await explained({ input: body }, client)
    const others = await explained({ input: body })
    expect([own.verdict, others.verdict]).toEqual(Array(2).fill({ isValid: false, invalidReason: 'duplicate_settlement' }))
    expect(own.check('first_use')?.evidence).toContain(id)
    expect(JSON.stringify(others)).not.toContain(id)
    expect((await explained({ input: id }, client)).check('outcome')).toMatchObject({ status: 'passed' })
    expect(failedIn(await explained({ input: id }))).toEqual(['lookup'])
  })

  test('takes the requirements of a payment from a 402 response that is pasted apart', async () => {
    const body = v1Body(await signed(await harness.payer()))
    const offer: Json = Object(body.paymentRequirements)
    const dear = { ...offer, maxAmountRequired: '2000' }
    const paymentRequirements = JSON.stringify({ x402Version: 1, accepts: [{ ...offer, network: 'base' }, dear] })
    const answer = await explained({ input: header(body), paymentRequirements })
    expect(failedIn(answer)).toEqual(['amount'])
    expect(answer.fields).toContainEqual({ name: 'amount', payment: '0.001 USDC (1000)', requirements: '0.002 USDC (2000)' })
  })
})

test('a key is explained its own guardrails', async () => {
  const merchant = await newMerchant(harness.app, { maxAmount: 10n })
  const answer = await explained({ input: v2Body(await signed(await harness.payer())) }, merchant.v1)
  expect([failedIn(answer), answer.verdict]).toEqual([['key_maximum'], { isValid: false, invalidReason: 'amount_above_maximum' }])
})

test('a question without an input, or with another type, is a 400 that names the field', async () => {
  for (const question of [{}, { input: 7 }, { input: null }]) {
    const { status, body } = await newClient(harness.app).explain(question)
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/^input /) }])
  }
})

test('a body over 16 KB is a 413, and one just below it is read', async () => {
  const ask = (length: number) => newClient(harness.app).explain({ input: 'a'.repeat(length) })
  expect([(await ask(16_000)).status, (await ask(17_000)).status]).toEqual([200, 413])
})

test('the sixth question within a second is a 429', async () => {
  const client = newClient(harness.app)
  const answers = await Promise.all(Array.from({ length: 12 }, () => client.explain({ input: 'x' })))
  expect(answers.map(({ status }) => status)).toContain(429)
})

test('keys in pasted URLs are masked in the answer', async () => {
  const key = `qt_${'k'.repeat(43)}`
  const urls = [`https://facilitator.example/v1/${key}/settle`, 'https://api.example/x?api_key=verysecret&city=Lisbon']
  const answers = await Promise.all(urls.map((input) => explained({ input })))
  expect(answers.map(({ kind }) => kind)).toEqual(['url', 'url'])
  const said = JSON.stringify(answers)
  expect([said.includes(key), said.includes('verysecret'), said.includes('city=Lisbon')]).toEqual([false, false, true])
})
