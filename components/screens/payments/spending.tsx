'use client'

import { later } from '../../ui/later'
import { Loading } from './spending-parts'

/** The spending of a wallet per month. Its figures arrive after the list, so its scripts may too. */
export const SpendingByMonth = later(() => import('./months').then((loaded) => loaded.SpendingByMonth), <Loading />)
