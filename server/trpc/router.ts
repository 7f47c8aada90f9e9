import { keys } from '../accounts/procedures'
import { agent } from '../agents/procedures'
import { activity, environment, listSums, merchantFigures } from '../analytics/procedures'
import { merchantListings } from '../discovery/procedures'
import { payer, receipts, settlements } from '../history/procedures'
import { admin } from '../operations/procedures'
import { merchantFaults } from '../operations/status/procedures'
import { merchantChannels, payerChannels } from '../payments/channels/procedures'
import { session } from '../sign-in/procedures'
import { webhooks } from '../webhooks/procedures'
import { router } from './context'

/** Everything that the dashboard asks and does. */
export const root = router({
  session,
  environment,
  settlements: { ...settlements, ...listSums },
  merchant: { ...merchantFigures, ...merchantListings, ...merchantFaults, ...merchantChannels },
  wallet: payerChannels,
  keys,
  activity,
  webhooks,
  payer,
  receipts,
  agent,
  admin,
})

export type Root = typeof root
