import { eventBody, signedHeaders } from './messages'

// A secret of zeros: it signs nothing else.
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`
const AT = '2026-11-21T12:00:02.113Z'

/** A message as we send it, with its headers. Built by the code that builds real messages. */
export function exampleMessage(): { headers: Record<string, string>; body: string; secret: string } {
  const body = eventBody({
    ...{ type: 'payment.settled', at: AT, settlementId: '01931f0e-7a52-7d1c-9b1e-3f2a61c0d7aa' },
    ...{ tenantId: '01931e00-0000-7000-8000-000000000001', logged: true, plan: 'growth', reason: null },
    txHash: '0x5cde1b4c1d1f0a4b3e9f3a4c2d4e66c3f0c19b7a5d0be1d3a36b1c9f2a7e8d01',
    ...{ network: 'eip155:8453', amount: '1000', resource: 'https://merchant.example/weather' },
    payer: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  })
  const message = { id: '01931f0e-9c10-7b2f-8a3d-5e6f70819a2b', timestamp: Math.floor(Date.parse(AT) / 1_000), body }
  return { headers: signedHeaders([SECRET], message), body, secret: SECRET }
}
