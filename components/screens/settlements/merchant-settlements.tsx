'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { keyNameAmong } from '@/server/accounts/key-name'
import { keysQuery } from '../../client/queries'
import { FRESH_MS } from '../../client/refresh'
import { LIVE_PAYMENT, TEST_PAYMENT } from '../../client/screen-list'
import { useTRPC } from '../../client/trpc'
import { useSignedWallet, worksInTest } from '../../client/use-signed-wallet'
import { buttonClass } from '../../ui/button'
import { SettlementScreen } from './screen'

/** A merchant's settlements. */
export function MerchantSettlements() {
  const trpc = useTRPC()
  const { data } = useQuery({ ...keysQuery(trpc), staleTime: FRESH_MS.account })
  const keys = data?.keys.map((key) => [key.id, keyNameAmong(key)] as const) ?? []
  const tests = worksInTest(useSignedWallet())
  const pay = (
    <Link href={tests ? TEST_PAYMENT : LIVE_PAYMENT} className={buttonClass({ look: 'primary' })}>
      {tests ? 'Send a test payment' : 'Open quick start'}
    </Link>
  )
  const trial = data?.keys.length === 0 ? ' A test payment creates your first key too.' : ' Try one with test money.'
  const text = `Each payment through your keys appears here at once.${tests ? trial : ''}`
  const empty = { what: 'settlements', text, action: pay }
  return <SettlementScreen reader="merchant" title="Settlements" empty={empty} keys={keys} />
}
