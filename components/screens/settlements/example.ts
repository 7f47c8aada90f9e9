import type { Shown } from '@/server/history/present'
import type { Environment } from '@/server/x402/networks/networks'

/** Settlements of an environment as they look at that time. */
export const exampleSettlements = (environment: Environment, now: number): Shown[] =>
  EXAMPLES.map((example, at) => exampleOf(example, environment, now - at * STEP_MS))

const STEP_MS = 157_000

const EXAMPLES = [
  { path: 'forecast', amount: '1000', payer: '0x8f3a6b1c94e07d25a8b3f6c0d1e2947a5b6c41c2', reason: null },
  { path: 'translate', amount: '25000', payer: '0x27d0f4a81b6c3e5927d8a0b4c6e1f39528d7b90e', reason: null },
  { path: 'report', amount: '125000', payer: '0xc41e7a3058b92d6f14c7e0a9b5d3826f41e907a5', reason: 'Insufficient funds' },
  { path: 'forecast', amount: '1000', payer: '0x8f3a6b1c94e07d25a8b3f6c0d1e2947a5b6c41c2', reason: null },
] as const

function exampleOf({ path, amount, payer, reason }: (typeof EXAMPLES)[number], environment: Environment, ms: number): Shown {
  const text = String(ms)
  return {
    id: text,
    settlementId: null,
    createdAt: new Date(ms).toISOString(),
    success: reason === null,
    network: environment === 'testnet' ? 'eip155:84532' : 'eip155:8453',
    txHash: reason ? '' : `0x${text.repeat(5).slice(0, 64)}`,
    errorReason: reason,
    reasonTitle: reason,
    amount,
    maximum: null,
    asset: 'USDC',
    decimals: 6,
    payer,
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
    payToName: null,
    agents: [],
    resource: `https://api.example.com/v1/${path}`,
    resourceName: null,
    plan: 'free',
    tenantId: '',
    keyName: 'My API',
    owner: null,
  }
}
