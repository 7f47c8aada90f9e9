'use client'

import { parseAsNumberLiteral, useQueryState } from 'nuqs'
import { type Environment, networkIds, networksIn } from '@/server/x402/networks'
import { useEnvironment } from '../data/environment'
import { EnvironmentSwitch } from '../data/environment-switch'
import { titleOf } from '../settlements/explorer'
import { Choice } from '../ui/fields'

const DAYS = [7, 30, 90] as const
const PERIODS = DAYS.map((days) => [String(days), `${days} days`] as const)

const LOOK_MS = 5_000

/** How often it is asked where there are figures: until there are some. */
export const untilUsed = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }: { state: { data: Environment | null | undefined } }) => (state.data === null ? LOOK_MS : false),
} as const

/** Which figures a screen shows, all of it in its address. `within` is the network or the environment; undefined while that is not known. */
export function useAnalyticsWindow(first: Environment | undefined) {
  const [days, setDays] = useQueryState('days', parseAsNumberLiteral(DAYS).withDefault(30).withOptions({ history: 'push' }))
  const place = useEnvironment(first)
  return { ...place, days, setDays, within: place.network ?? place.environment }
}

type Props = { window: ReturnType<typeof useAnalyticsWindow> }

/** Chooses what figures are of: environment, network and period. */
export function WindowControls({ window: { environment, network, days, setEnvironment, setNetwork, setDays } }: Props) {
  const networks = environment ? networksIn(environment) : []
  return (
    <>
      <EnvironmentSwitch value={environment} onChange={setEnvironment} />
      <Choice
        label="Network"
        className="min-w-36 max-sm:grow"
        value={network ?? ''}
        options={[['', 'All networks'], ...networks.map((id) => [id, titleOf(id)] as const)]}
        onChange={({ target }) => setNetwork(networkIds.find((id) => id === target.value) ?? null)}
      />
      <Choice
        label="Period"
        value={String(days)}
        options={PERIODS}
        onChange={({ target }) => void setDays(DAYS.find((one) => String(one) === target.value) ?? 30)}
      />
    </>
  )
}
