import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { post } from '../../test/support/service/client'
import { newClient } from '../../test/support/service/surface'
import { SOL, startSvmHarness } from '../../test/support/svm/harness'
import { until } from '../../test/support/until'

const harness = fixture(() => startSvmHarness({ feePayers: 3 }))

type Kind = { x402Version: number; network: string; extra?: { feePayer: string } }
type Listing = { kinds: Kind[]; signers: Record<string, string[]>; assets: { network: string; asset: string }[] }

async function listing(): Promise<Listing> {
  return (await newClient(harness.app).supported()).body as Listing
}
const feePayersIn = ({ kinds }: Listing) => kinds.flatMap(({ extra }) => (extra ? [extra.feePayer] : []))
const became = (address: string, wanted: string) =>
  until(
    () => harness.app.engine.laneStatus().some((one) => one.address === address && one.status === wanted),
    `the fee payer to be ${wanted}`,
    30_000,
  )

describe('several fee payers', () => {
  test('are listed in turn with the kinds of both versions, and all of them as signers', async () => {
    const all = harness.feePayers.map(({ address }) => address).sort()
    const { kinds, signers, assets } = await listing()
    expect(kinds.map(({ x402Version, network, extra }) => [x402Version, network, typeof extra?.feePayer])).toEqual([
      [2, harness.solana.network, 'string'],
      [1, 'solana-devnet', 'string'],
    ])
    expect([...(signers['solana:*'] ?? [])].sort()).toEqual(all)
    expect(assets).toMatchObject([{ network: harness.solana.network, asset: harness.solana.mint, symbol: 'USDC', decimals: 6 }])
    const listed = new Set<string>()
    await until(async () => {
      for (const feePayer of feePayersIn(await listing())) listed.add(feePayer)
      return listed.size === all.length
    }, 'each of them to be listed')
    expect([...listed].sort()).toEqual(all)
  })

  test('are one list to caches, whichever it names: its entity tag changes with those that can pay', async () => {
    const client = newClient(harness.app)
    const { headers } = await client.supported()
    const etag = headers.get('etag') ?? ''
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    for (let time = 0; time < 5; time++) {
      const again = await client.supported({ 'if-none-match': etag })
      expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
    }
    expect((await client.supported({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('each send the payments that name them', async () => {
    for (const { address } of harness.feePayers) {
      const { body, payTo } = await harness.purchase({ feePayer: address })
      expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: true })
      expect(await harness.solana.tokens(payTo)).toBe(1_000n)
    }
  })

  test('of which one has no balance: a 503 for its own payments only, and it is not listed until it is filled', async () => {
    const [dry, well] = harness.feePayers.map(({ address }) => address)
    if (!dry || !well) throw new Error('three were started')
    await harness.solana.setLamports(dry, 900_000n)
    const usage = (ip: string) => harness.app.db.usage.findFirst({ where: { subject: `ip:${ip}`, meter: 'settlement' } })
    // Balances are looked at after a payment.
    await post(harness.app, 'settle', (await harness.purchase({ feePayer: well })).body)
    await became(dry, 'low balance')

    const { body } = await harness.purchase({ feePayer: dry })
    const refused = await post(harness.app, 'settle', body, { ip: '10.200.0.1' })
    expect(refused).toMatchObject({ status: 503, body: { success: false, errorReason: 'facilitator_unavailable' } })
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect([await usage('10.200.0.1'), await harness.app.db.settlement.count({ where: { caller: 'ip:10.200.0.1' } })]).toEqual([
      null,
      0,
    ])
    expect((await post(harness.app, 'settle', (await harness.purchase({ feePayer: well })).body)).body).toMatchObject({
      success: true,
    })
    const listings = await Promise.all(Array.from({ length: 20 }, listing))
    expect(listings.flatMap(feePayersIn)).not.toContain(dry)
    for (const { signers } of listings) expect(signers['solana:*']).toContain(dry)

    await harness.solana.airdrop(dry, SOL)
    await became(dry, 'ready')
    expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: true })
  })

  test('that are not ours send nothing', async () => {
    const { body } = await harness.purchase({ feePayer: (await harness.payer(0n)).address })
    const reason = 'invalid_exact_svm_fee_payer_not_managed_by_facilitator'
    expect((await post(harness.app, 'settle', body)).body).toMatchObject({ success: false, errorReason: reason })
  })
})
