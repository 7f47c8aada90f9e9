import type { LocalAccount } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { FailpointName } from '../../../server/base/failpoints'
import { fundedKey } from '../../support/chain/funded-key'
import { type SignedPayment, signed, v2Body } from '../../support/payloads/payments'
import { evmWallet, ORIGIN, siweHeaders } from '../../support/payloads/sign-in'
import { inHeader, payForCredits, sells } from '../../support/service/agents'
import { freshIp } from '../../support/service/client'
import { askUntilDead, type ProcessAnswer, postTo, type ServiceProcess } from '../../support/service/process'
import { until } from '../../support/until'
import { type KillSetup, startKillSetup } from './kills'

/** A wallet, its whole payment for credits, and the purchase request. */
export type Buyer = { account: LocalAccount; wallet: string; payment: SignedPayment; headers: Record<string, string>; ip: string }

/** A kill setup whose services sell credits. */
type CreditKillSetup = KillSetup & {
  newBuyer: (credits?: bigint) => Promise<Buyer>
  buy: (service: Pick<ServiceProcess, 'url'>, buyer: Buyer) => Promise<ProcessAnswer>
  /** Retries the purchase until a 200, or until a 409 once the ledger marks its success as delivered. */
  buyAgain: (service: Pick<ServiceProcess, 'url'>, buyer: Buyer) => Promise<ProcessAnswer>
  /** Signs the wallet in and creates a key. */
  newKey: (service: Pick<ServiceProcess, 'url'>, buyer: Buyer) => Promise<string>
  /** Makes a payment; the returned function settles this same payment with a key. */
  newUse: () => Promise<(service: Pick<ServiceProcess, 'url'>, key: string) => Promise<ProcessAnswer>>
  /** Starts a service that kills itself at that moment, and sends requests until it is dead. */
  killedWhile: (
    moment: FailpointName,
    ask: (service: ServiceProcess) => Promise<unknown>,
    changes?: Record<string, string>,
  ) => Promise<void>
  accountOf: (buyer: Buyer) => Promise<{ purchased: bigint; used: bigint }>
  /** The credit entries of the wallet's one purchase. */
  entriesOf: (buyer: Buyer) => Promise<[string, bigint][]>
  paid: (buyer: Buyer) => Promise<bigint>
}

/** Starts the setup. */
export async function startCreditKillSetup(): Promise<CreditKillSetup> {
  const setup = await startKillSetup()
  const { chain, database } = setup
  const production = { ...sells, BASE_URL: ORIGIN, EVM_SIGNER_KEYS: await fundedKey(chain), EVM_SANDBOX_SIGNER_KEYS: '' }
  const start: KillSetup['start'] = (changes = {}, awaited) => setup.start({ ...production, ...changes }, awaited)
  const buy: CreditKillSetup['buy'] = (service, { headers, ip }) => postTo(service, '/api/v1/agent/purchase', {}, ip, headers)
  const purchaseOf = ({ wallet }: Buyer) =>
    database.db.settlement.findFirst({ where: { payer: wallet, state: { not: 'REJECTED' } } })

  return {
    ...setup,
    start,
    async newBuyer(credits = 100n) {
      const account = privateKeyToAccount(generatePrivateKey())
      await chain.mint(account.address, credits * 1_000n)
      const payment = await payForCredits(account, credits)
      return { account, wallet: account.address.toLowerCase(), payment, headers: inHeader.v2(payment), ip: freshIp() }
    },
    buy,
    async buyAgain(service, buyer) {
      let last: ProcessAnswer = 'no answer'
      const isOver = async () => Boolean((await purchaseOf(buyer))?.deliveredAt)
      await until(
        async () => {
          last = await buy(service, buyer)
          return last !== 'no answer' && (last.status === 200 || (last.status === 409 && (await isOver())))
        },
        'an answer to the repeated purchase',
        30_000,
        250,
      )
      return last
    },
    async newKey(service, { account, ip }) {
      const answer = await postTo(service, '/api/v1/agent/keys', {}, ip, await siweHeaders(evmWallet(account)))
      expect(answer).toMatchObject({ status: 201, body: { api_key: expect.stringMatching(/^qt_/) } })
      return answer === 'no answer' ? '' : String(answer.body.api_key)
    },
    async newUse() {
      const payer = privateKeyToAccount(generatePrivateKey())
      await chain.mint(payer.address, 1_000n)
      const [body, ip] = [v2Body(await signed(payer)), freshIp()]
      return (service, key) => postTo(service, `/v1/${key}/settle`, body, ip)
    },
    async killedWhile(moment, ask, changes = {}) {
      const doomed = await start({ ...changes, FAILPOINT: moment })
      await askUntilDead(doomed, moment, () => ask(doomed))
    },
    async accountOf({ wallet }) {
      const row = await database.db.creditAccount.findFirst({ where: { wallet, environment: 'testnet' } })
      return { purchased: row?.purchased ?? 0n, used: row?.used ?? 0n }
    },
    async entriesOf({ wallet }) {
      const rows = await database.db.creditEntry.findMany({ where: { wallet }, orderBy: { createdAt: 'asc' } })
      return rows.map(({ kind, delta }) => [kind, delta])
    },
    async paid({ account, payment }) {
      return payment.authorization.value - (await chain.tokens(account.address))
    },
  }
}

/** Expects one payment and one credit entry; a new key works, and the same request never buys again. */
export async function expectBoughtOnce(setup: CreditKillSetup, buyer: Buyer): Promise<void> {
  const service = await setup.start()
  const answer = await setup.buyAgain(service, buyer)
  if (answer !== 'no answer' && answer.status === 409) expect(answer.body.error).toContain('POST /api/v1/agent/keys')
  expect(await setup.buy(service, buyer)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('/api/v1/agent/keys') },
  })
  const { value } = buyer.payment.authorization
  expect(await setup.paid(buyer)).toBe(value)
  expect([await setup.accountOf(buyer), await setup.entriesOf(buyer)]).toEqual([
    { purchased: value / 1_000n, used: 0n },
    [['purchase', value / 1_000n]],
  ])
  const key = await setup.newKey(service, buyer)
  const use = await setup.newUse()
  expect(await use(service, key)).toMatchObject({ status: 200, body: { success: true } })
  expect(await setup.accountOf(buyer)).toEqual({ purchased: value / 1_000n, used: 1n })
}
