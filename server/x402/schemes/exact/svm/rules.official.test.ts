import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExactSvmScheme as OfficialClient } from '@x402/svm/exact/client'
import { ExactSvmScheme as Official } from '@x402/svm/exact/facilitator'
import { ExactSvmSchemeV1 as OfficialClientV1 } from '@x402/svm/exact/v1/client'
import { ExactSvmSchemeV1 as OfficialV1 } from '@x402/svm/exact/v1/facilitator'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  lighthouse,
  PROGRAMS,
  SVM_NETWORK,
  SVM_USDC,
  type SvmPaymentOptions,
  someAddress,
  svmEdited,
  svmPayment,
  svmV1Body,
  svmV2Body,
} from '../../../../../test/support/svm/forge'
import {
  type Parties,
  soundPayments,
  svmBody,
  svmParties,
  svmRules,
  svmTricks,
  type Trick,
} from '../../../../../test/support/svm/tricks'
import { addMint, withdrawMint } from '../../../networks/mints'
import { parsePayment } from '../../../parse'
import { isSvm } from '../../../payment'
import { brokenSvmRules } from './rules'

type Json = Record<string, unknown>

let parties: Parties
beforeAll(async () => {
  parties = await svmParties()
  // The official facilitator logs there what it cannot decode.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterAll(() => vi.restoreAllMocks())

const unused = () => Promise.reject(new Error('nothing is settled here'))

/** The official facilitator with our fee payers and our limits, where it has them. Every simulation passes. */
function officials(): { 1: OfficialV1; 2: Official } {
  const signer = {
    getAddresses: () => [parties.feePayer.address, parties.headroom.address],
    simulateTransaction: async () => {},
    signTransaction: unused,
    sendTransaction: unused,
    confirmTransaction: unused,
  }
  const limits = { maxComputeUnits: Number(svmRules(parties).maxComputeUnits), maxRequiredSignatures: 2 }
  return { 1: new OfficialV1(signer), 2: new Official(signer, undefined, limits) }
}

/** What the official facilitator says: null where it takes the payment. Its reasons end where its explanations begin. */
async function officialReason(body: Json, version: 1 | 2): Promise<string | null> {
  const { isValid, invalidReason = '' } = await officials()[version].verify(...asOfficial(body))
  return isValid ? null : (invalidReason.split(':')[0] ?? '')
}

type OfficialArguments = Parameters<Official['verify']>

// Bodies of official clients with one trick each, which the official code must judge.
function asOfficial({ paymentPayload, paymentRequirements }: Json): OfficialArguments {
  return [paymentPayload, paymentRequirements] as unknown as OfficialArguments
}

const VERSIONS = [1, 2] as const

const ours = (body: Json): string | null => brokenSvmRules(parsePayment(body), svmRules(parties))?.reason ?? null

describe('the official facilitator says the same', () => {
  const all: Trick[] = [...soundPayments, ...svmTricks]
  const agreed = all.filter(({ official }) => !official)
  const different = all.flatMap(({ title, make, official }) => (official ? [{ title, make, ...official }] : []))

  test.each(agreed)('of $title', async ({ make }) => {
    const attempt = await make(parties)
    for (const version of VERSIONS) {
      const body = await svmBody(parties, attempt, version)
      expect(await officialReason(body, version)).toBe(ours(body))
    }
  })

  test.each(different)('but for $title: $why', async ({ make, reason, reasonV1 }) => {
    const attempt = await make(parties)
    const said = { 1: reasonV1, 2: reason }
    for (const version of VERSIONS) {
      const body = await svmBody(parties, attempt, version)
      const official = await officialReason(body, version)
      expect(official).toBe(said[version] === undefined ? ours(body) : said[version])
      if (said[version] !== undefined) expect(official).not.toBe(ours(body))
    }
  })

  test('for any bytes that we accept, with a payer who signs anything', async () => {
    const { payer, feePayer, payTo, source } = parties
    const extraInstructions = [lighthouse([source])]
    const made = await svmPayment({ payer, feePayer: feePayer.address, payTo, extraInstructions, memo: 'order 7' })
    let taken = 0
    const flip = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))
    await fc.assert(
      fc.asyncProperty(flip, async ([at, mask]) => {
        const flipped = await svmEdited(made, payer, (message) =>
          message.map((byte, index) => (index === at % message.length ? byte ^ mask : byte)),
        )
        const body = svmV2Body(flipped, { feePayer: feePayer.address, payTo })
        if (ours(body) !== null) return
        taken += 1
        expect(await officialReason(body, 2)).toBeNull()
      }),
      { numRuns: 600 },
    )
    expect(taken).toBeGreaterThan(10)
  })
})

describe('the official facilitator says the same in a Token-2022 mint', () => {
  const mint = someAddress()
  beforeAll(() => addMint(SVM_NETWORK, { address: mint, symbol: 'USDT', decimals: 6, program: PROGRAMS.token2022 }))
  afterAll(() => withdrawMint(SVM_NETWORK, mint))

  const P = 'invalid_exact_svm_payload'
  const cases: [string, Partial<SvmPaymentOptions>, string | null][] = [
    ['the usual payment', {}, null],
    ['a legacy message', { version: 'legacy' }, null],
    ['USDC instead', { mint: SVM_USDC, program: PROGRAMS.token }, `${P}_mint_mismatch`],
    ['another recipient', { payTo: someAddress() }, `${P}_recipient_mismatch`],
    ['another amount', { amount: 999n }, `${P}_amount_mismatch`],
  ]
  test.each(cases)('of %s', async (_, changed, reason) => {
    const { payer, payTo } = parties
    const terms = { feePayer: parties.feePayer.address, payTo }
    const made = await svmPayment({ payer, ...terms, mint, program: PROGRAMS.token2022, ...changed })
    const requirements = { asset: mint }
    for (const [version, body] of [
      [1, svmV1Body(made, terms, { requirements })],
      [2, svmV2Body(made, terms, { requirements })],
    ] as const)
      expect([ours(body), await officialReason(body, version)]).toEqual([reason, reason])
  })
})

describe('a payment of the official client', () => {
  let node: Server
  let url: string
  const blockhash = someAddress()
  const asked: string[] = []
  beforeAll(async () => {
    node = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const { id, method } = JSON.parse(text)
      asked.push(method)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: VALUES[method]?.() } }))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => node.once('listening', resolve))
    url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => node.close(resolve)))

  // A mint without authorities: supply at 36, decimals at 44, whether it is initialized at 45.
  const mint = () => Buffer.alloc(82).fill(6, 44, 45).fill(1, 45, 46).toString('base64')
  const VALUES: Record<string, () => unknown> = {
    getAccountInfo: () => ({
      data: [mint(), 'base64'],
      executable: false,
      lamports: 1,
      owner: PROGRAMS.token,
      rentEpoch: 0,
      space: 82,
    }),
    getLatestBlockhash: () => ({ blockhash, lastValidBlockHeight: 1 }),
  }

  const terms = (memo?: string) => ({
    feePayer: parties.feePayer.address,
    payTo: parties.payTo,
    amount: 123_456n,
    ...(memo ? { memo } : {}),
  })

  test.each([undefined, 'order 7'])('of version 2 is taken, with %s as memo', async (memo) => {
    const [, requirements] = asOfficial(svmV2Body('', terms(memo)))
    const client = new OfficialClient(parties.payer, { rpcUrl: url })
    const { payload } = await client.createPaymentPayload(2, requirements)
    expectTaken(svmV2Body(String(payload.transaction), terms(memo)))
  })

  test.each([undefined, 'order 7'])('of version 1 is taken, with %s as memo', async (memo) => {
    const [, requirements] = asOfficial(svmV1Body('', terms(memo)))
    const client = new OfficialClientV1(parties.payer, { rpcUrl: url })
    const { payload } = await client.createPaymentPayload(1, requirements)
    expectTaken(svmV1Body(String(payload.transaction), terms(memo)))
  })

  function expectTaken(body: Json): void {
    const payment = parsePayment(body)
    expect(brokenSvmRules(payment, svmRules(parties))).toBeNull()
    expect(isSvm(payment) && payment.transfer.transaction.blockhash).toBe(blockhash)
    expect(new Set(asked)).toEqual(new Set(['getAccountInfo', 'getLatestBlockhash']))
  }
})
