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

/** Polls for the default environment until there is one. */
export const untilUsed = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ({ state }: { state: { data: Environment | null | undefined } }) => (state.data === null ? LOOK_MS : false),
} as const

/** The period, environment and network of a screen, kept in the URL. `within` is the network or the environment; undefined while unknown. */
export function useAnalyticsWindow(first: Environment | undefined) {
  const [days, setDays] = useQueryState('days', parseAsNumberLiteral(DAYS).withDefault(30).withOptions({ history: 'push' }))
  const selected = useEnvironment(first)
  return { ...selected, days, setDays, within: selected.network ?? selected.environment }
}

type Props = { window: ReturnType<typeof useAnalyticsWindow> }

/** Selects environment, network and period. */
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
