import { startCluster } from '../test/support/database/postgres'
import { migrate } from '../server/db/migrate'
import { connect } from '../server/db/database'
import { v7 as uuidv7 } from 'uuid'

import { writeStored, findStored, deleteStored, listStored, pruneUndeposited } from '../server/payments/channels/stored-queries'
import { findChannels, keepChannels } from '../server/payments/channels/queries'
const cluster = await startCluster(); const url = cluster.url('postgres'); await migrate(url); const d = connect({ url })
try {
  const { db } = d
  const t = uuidv7(); await db.tenant.create({ data: { id: t, ownerKind: 'system', ownerId: 'quittance', plan: 'growth' } })
  const config = { payer: '0x1', payerAuthorizer: '0x1', receiver: '0x2', receiverAuthorizer: '0x3', token: '0x4', withdrawDelay: 900, salt: '0x0' } as any
  const w = (o: any) => writeStored(db, { network: 'eip155:84532', id: '0xaa', tenantId: t, expected: null, mutation: 'm'+Math.random(), config, signed: 10n, signature: '0x11', charged: 0n, pending: null, usedAt: new Date(), ...o } as any)
  const p = (x: any) => JSON.stringify(x, (_, v) => typeof v === 'bigint' ? `${v}n` : v)
  console.log('create', p(await w({ mutation: 'a' })))
  console.log('again', p(await w({ mutation: 'a' })))
  console.log('moved', p(await w({})))
  console.log('write', p(await w({ expected: 1n, charged: 7n, pending: { pendingId: 'x', signedMaxClaimable: '10', expiresAt: 5 } })))
  console.log('falls', p(await w({ expected: 2n, charged: 6n })))
  console.log('race', p(await Promise.all([1,2,3].map((n) => w({ expected: 2n, charged: BigInt(7+n) })))))
  console.log('race new', p(await Promise.all([1,2,3].map((n) => w({ id: '0xbb' })))))
  console.log('usage', p(await db.query`SELECT * FROM "ChannelUsage"`))
  console.log('find', p(await findStored(db, { network: 'eip155:84532', id: '0xaa', tenantId: t } as any)))
  console.log('list', p(await listStored(db, { network: 'eip155:84532', tenantId: t, after: '', limit: 10 } as any)))
  await keepChannels(db, 'eip155:84532', [{ id: '0xaa', tenantId: t, channel: config, voucher: { maxClaimable: 3n, signature: '0x99' }, charged: 99n, presented: 5n, state: { balance: 100n, totalClaimed: 1n, withdrawAmount: 0n, withdrawRequestedAt: 0n, refundNonce: 0n, askedAt: new Date() } } as any])
  console.log('known', p([...(await findChannels(db, 'eip155:84532', ['0xaa'] as any))]))
  console.log('find', p(await findStored(db, { network: 'eip155:84532', id: '0xaa', tenantId: t } as any)))
  console.log('del moved', p(await deleteStored(db, { network: 'eip155:84532', id: '0xaa', tenantId: t, expected: 1n, mutation: 'd' } as any)))
  console.log('del', p(await deleteStored(db, { network: 'eip155:84532', id: '0xaa', tenantId: t, expected: 3n, mutation: 'd' } as any)))
  console.log('del again', p(await deleteStored(db, { network: 'eip155:84532', id: '0xaa', tenantId: t, expected: 3n, mutation: 'd' } as any)))
  console.log('del bb', p(await deleteStored(db, { network: 'eip155:84532', id: '0xbb', tenantId: t, expected: 1n, mutation: 'd' } as any)))
  console.log('revive low', p(await w({ charged: 1n })))
  console.log('revive', p(await w({ charged: 8n, signed: 10n })))
  console.log('prune', await pruneUndeposited(db, 10))
} finally { await d.close(); await cluster.remove() }
