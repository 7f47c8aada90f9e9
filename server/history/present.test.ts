import { expect, test } from 'vitest'
import { OPERATOR_TENANT, SANDBOX_TENANT } from '../accounts/caller'
import { type HistoryEntry, presentShown } from './present'

const ENTRY: HistoryEntry = {
  id: 'row',
  settlementId: 'settlement',
  createdAt: new Date(0),
  success: true,
  txHash: '0x1',
  network: 'eip155:8453',
  amount: '1000000',
  maximum: null,
  symbol: 'USDC',
  ownerKind: 'system',
  ownerId: '',
  payer: '',
  payTo: '',
  plan: 'agent',
  errorReason: null,
  agents: [],
  tenantId: OPERATOR_TENANT,
  resource: 'https://quittance.test/api/v1/agent/purchase',
}
const INSIGHT = { keyName: '', owner: null }

test('a purchase of credits has a name on screens and keeps its URL; other resources have no name', () => {
  expect(presentShown(ENTRY, INSIGHT)).toMatchObject({
    resourceName: '1,000 agent credits',
    payToName: 'Quittance',
    resource: ENTRY.resource,
  })
  expect(presentShown({ ...ENTRY, tenantId: SANDBOX_TENANT }, INSIGHT)).toMatchObject({ resourceName: null, payToName: null })
})
