'use client'

import { useEffect, useState } from 'react'
import { dateAfter } from '@/server/analytics/zones'
import { networkIds, networksIn } from '@/server/x402/networks'
import { titleOf } from '../settlements/explorer'
import { Pill } from '../ui/pill'
import { Segments } from '../ui/segments'
import { LENGTHS, type SelectedPeriod, todayIn } from './use-period'

const PERIODS = [...LENGTHS.map((days) => [String(days), `${days} days`] as const), ['custom', 'Custom'] as const]
const DATE = 'h-8 rounded-lg border border-solid border-line bg-card px-2.5 text-[0.8125rem]'
const NEW_CUSTOM_DAYS = 14

type Props = {
  period: SelectedPeriod /** The tokens that occur; undefined while they load. */
  assets: readonly string[] | undefined
}

/** Selects network, token if several occur, period and time zone. */
export function PeriodControls({ period, assets = [] }: Props) {
  const { environment, network, days, custom, zone, asset } = period
  const symbols = [...new Set([...assets, ...(asset ? [asset] : [])])]
  const networks = environment ? networksIn(environment) : []
  const today = todayIn(zone)
  function choose(value: string) {
    const length = LENGTHS.find((one) => String(one) === value)
    if (length) period.setDays(length)
    else period.setCustom({ from: dateAfter(today, 1 - NEW_CUSTOM_DAYS), to: today })
  }
  return (
    <>
      <Pill
        label="Network"
        unset="All networks"
        value={network ?? ''}
        options={[['', 'All networks'], ...networks.map((id) => [id, titleOf(id)] as const)]}
        onChange={({ target }) => period.setNetwork(networkIds.find((id) => id === target.value) ?? null)}
      />
      {symbols.length > 1 ? (
        <Pill
          label="Token"
          unset={symbols[0] ?? ''}
          value={asset ?? symbols[0] ?? ''}
          options={symbols.map((symbol) => [symbol, symbol] as const)}
          onChange={({ target }) => period.setAsset(target.value === symbols[0] ? null : target.value)}
        />
      ) : null}
      <ZoneChoice zone={zone} onChange={period.setZone} />
      <Segments
        label="Period"
        value={days === null ? 'custom' : String(days)}
        options={PERIODS}
        onChange={choose}
        className="max-sm:w-full"
      />
      {custom ? (
        <fieldset aria-label="Custom period" className="m-0 flex min-w-0 items-center gap-2 border-0 p-0">
          <input
            type="date"
            aria-label="From"
            className={DATE}
            value={custom.from}
            max={today}
            onChange={({ target }) => (target.value ? period.setCustom({ ...custom, from: target.value }) : undefined)}
          />
          <span aria-hidden>–</span>
          <input
            type="date"
            aria-label="To"
            className={DATE}
            value={custom.to}
            max={today}
            onChange={({ target }) => (target.value ? period.setCustom({ ...custom, to: target.value }) : undefined)}
          />
        </fieldset>
      ) : null}
    </>
  )
}

function ZoneChoice({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const [own, setOwn] = useState<string | null>(null)
  // The server cannot know it, and its first HTML must be the same.
  useEffect(() => setOwn(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  const zones = [...new Set([zone, own ?? zone])].filter((name) => name !== 'UTC')
  return (
    <Pill
      label="Time zone"
      unset="UTC"
      value={zone === 'UTC' ? '' : zone}
      options={[['', 'UTC'], ...zones.map((name) => [name, name.replaceAll('_', ' ')] as const)]}
      onChange={({ target }) => onChange(target.value || 'UTC')}
    />
  )
}
