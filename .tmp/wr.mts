import { startCluster } from '../test/support/database/postgres'
import { migrate } from '../server/db/migrate'
import { connect } from '../server/db/database'
import { v7 as uuidv7 } from 'uuid'
import { writeStored } from '../server/payments/channels/stored-queries'
const cluster = await startCluster({ durable: true }); const url = cluster.url('postgres'); await migrate(url); const d = connect({ url, ownSessions: true })
try {
  const { db } = d
  const t = uuidv7(); await db.tenant.create({ data: { id: t, ownerKind: 'system', ownerId: 'quittance', plan: 'growth' } })
  const config = { payer: '0x1', payerAuthorizer: '0x1', receiver: '0x2', receiverAuthorizer: '0x3', token: '0x4', withdrawDelay: 900, salt: '0x0' } as any
  for (const n of [1, 64, 64, 128]) {
    const took: number[] = []
    const pre = 'c' + Math.random()
    const s = performance.now()
    await Promise.all(Array.from({ length: n }, async (_, c) => {
      for (let i = 0; i < 40; i++) {
        const a = performance.now()
        const r = await writeStored(db, { network: 'eip155:84532', id: pre + c, tenantId: t, expected: i === 0 ? null : BigInt(i), mutation: uuidv7(), config, signed: 1000n, signature: '0x'+'11'.repeat(65), charged: BigInt(i >> 1), pending: i % 2 ? null : { pendingId: 'x', signedMaxClaimable: '10', expiresAt: 5 }, usedAt: new Date() } as any)
        if (r.end !== 'written') throw new Error(r.end)
        took.push(performance.now() - a)
      }
    }))
    const sec = (performance.now() - s) / 1000
    took.sort((a, b) => a - b)
    console.log(n, Math.round(took.length / sec), 'writes/s p50', took[took.length >> 1]!.toFixed(2), 'p95', took[Math.floor(took.length * .95)]!.toFixed(2))
  }
} finally { await d.close(); await cluster.remove() }
