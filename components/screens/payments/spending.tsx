'use client'

import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { Loading } from './spending-parts'

/** The spending of a wallet per month. Its figures arrive after the list, so its scripts may too. */
export const SpendingByMonth = later(() => import('./months').then((loaded) => loaded.SpendingByMonth), <Loading />)

/** The channels that a wallet paid into. Most wallets have none, so their scripts load with the first. */
export const PayerChannels = later(
  () => import('./payer-channels').then((loaded) => loaded.PayerChannels),
  <Skeleton className="h-41" />,
)
