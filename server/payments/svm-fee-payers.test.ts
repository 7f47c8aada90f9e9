import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { post } from '../../test/client'
import { until } from '../../test/harness'
import { newVisitor } from '../../test/surface'
import { SOL, type SvmHouse, startSvmHouse } from '../../test/svm-house'

let house: SvmHouse
beforeAll(async () => {
  house = await startSvmHouse({ feePayers: 3 })
})
afterAll(() => house.close())

type Kind = { x402Version: number; network: string; extra?: { feePayer: string } }
type Listing = { kinds: Kind[]; signers: Record<string, string[]>; assets: { network: string; asset: string }[] }

async function listing(): Promise<Listing> {
  return (await newVisitor(house.app).supported()).body as Listing
}
const feePayersIn = ({ kinds }: Listing) => kinds.flatMap(({ extra }) => (extra ? [extra.feePayer] : []))
const became = (address: string, wanted: string) =>
  until(
    () => house.app.engine.laneStatus().some((one) => one.address === address && one.status === wanted),
    `the fee payer to be ${wanted}`,
    30_000,
  )

describe('several fee payers', () => {
  test('are told in turn with the kinds of both versions, and all of them as signers', async () => {
    const all = house.feePayers.map(({ address }) => address).sort()
    const { kinds, signers, assets } = await listing()
    expect(kinds.map(({ x402Version, network, extra }) => [x402Version, network, typeof extra?.feePayer])).toEqual([
      [2, house.solana.network, 'string'],
      [1, 'solana-devnet', 'string'],
    ])
    expect([...(signers['solana:*'] ?? [])].sort()).toEqual(all)
    expect(assets).toMatchObject([{ network: house.solana.network, asset: house.solana.mint, symbol: 'USDC', decimals: 6 }])
    const told = new Set<string>()
    await until(async () => {
      for (const feePayer of feePayersIn(await listing())) told.add(feePayer)
      return told.size === all.length
    }, 'each of them to be told')
    expect([...told].sort()).toEqual(all)
  })

  test('each carry the payments that name them', async () => {
    for (const { address } of house.feePayers) {
      const { body, payTo } = await house.purchase({ feePayer: address })
      expect((await post(house.app, 'settle', body)).body).toMatchObject({ success: true })
      expect(await house.solana.tokens(payTo)).toBe(1_000n)
    }
  })

  test('of which one has run dry: a 503 for its own payments only, and it is told to nobody until it is filled', async () => {
    const [dry, well] = house.feePayers.map(({ address }) => address)
    if (!dry || !well) throw new Error('three were started')
    await house.solana.setLamports(dry, 900_000n)
    const usage = (ip: string) => house.app.db.usage.findFirst({ where: { subject: `ip:${ip}`, meter: 'settlement' } })
    // Balances are looked at after a payment.
    await post(house.app, 'settle', (await house.purchase({ feePayer: well })).body)
    await became(dry, 'low balance')

    const { body } = await house.purchase({ feePayer: dry })
    const refused = await post(house.app, 'settle', body, { ip: '10.200.0.1' })
    expect(refused).toMatchObject({ status: 503, body: { success: false, errorReason: 'facilitator_unavailable' } })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect([await usage('10.200.0.1'), await house.app.db.settlement.count({ where: { caller: 'ip:10.200.0.1' } })]).toEqual([
      null,
      0,
    ])
    expect((await post(house.app, 'settle', (await house.purchase({ feePayer: well })).body)).body).toMatchObject({
      success: true,
    })
    const listings = await Promise.all(Array.from({ length: 20 }, listing))
    expect(listings.flatMap(feePayersIn)).not.toContain(dry)
    for (const { signers } of listings) expect(signers['solana:*']).toContain(dry)

    await house.solana.airdrop(dry, SOL)
    await became(dry, 'ready')
    expect((await post(house.app, 'settle', body)).body).toMatchObject({ success: true })
  }, 60_000)

  test('that are not ours carry nothing', async () => {
    const { body } = await house.purchase({ feePayer: (await house.payer(0n)).address })
    const reason = 'invalid_exact_svm_fee_payer_not_managed_by_facilitator'
    expect((await post(house.app, 'settle', body)).body).toMatchObject({ success: false, errorReason: reason })
  })
})
