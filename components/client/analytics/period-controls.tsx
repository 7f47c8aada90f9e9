'use client'

import { useEffect, useState } from 'react'
import { dateAfter } from '@/server/base/zones'
import { networkIds, networksIn, networkTitle } from '@/server/x402/networks/networks'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { Pill } from '../../ui/pill'
import { Segments } from '../../ui/segments'
import { presets } from '../presets'
import { ownZone } from '../zone'
import { LENGTHS } from './period-input'
import { MONTHS, type SelectedPeriod, todayIn } from './use-period'

// Loaded for a custom period.
const DayField = later(() => import('../../ui/day-field').then((loaded) => loaded.DayField), <Skeleton className="w-30" />)

const PERIODS = [
  ...LENGTHS.map((days) => [String(days), `${days} days`] as const),
  ...presets.filter(([name]) => MONTHS.some((one) => one === name)),
  ['custom', 'Custom'] as const,
]
const USUAL = '30'
const NEW_CUSTOM_DAYS = 14

type Props = {
  period: SelectedPeriod /** The tokens that occur; undefined while they load. */
  assets: readonly string[] | undefined
}

/** Selects network, token if several occur, period with the days of a custom one, and time zone. */
export function PeriodControls({ period, assets = [] }: Props) {
  const { environment, network, days, named, zone, asset } = period
  const symbols = [...new Set([...assets, ...(asset ? [asset] : [])])]
  const networks = environment ? networksIn(environment) : []
  const chosen = named ?? (days === null ? 'custom' : String(days))
  function choose(value: string) {
    const length = LENGTHS.find((one) => String(one) === value)
    const month = MONTHS.find((one) => one === value)
    if (length) period.setDays(length)
    else if (month) period.setNamed(month)
    else {
      const today = todayIn(zone)
      period.setCustom({ from: dateAfter(today, 1 - NEW_CUSTOM_DAYS), to: today })
    }
  }
  return (
    <>
      <Pill
        label="Network"
        unset="All networks"
        value={network ?? ''}
        options={[['', 'All networks'], ...networks.map((id) => [id, networkTitle(id)] as const)]}
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
      <Segments label="Period" value={chosen} options={PERIODS} onChange={choose} className="max-xl:-order-1 max-sm:hidden" />
      <Pill
        label="Period"
        unset="30 days"
        value={chosen === USUAL ? '' : chosen}
        options={PERIODS.map(([name, text]) => [name === USUAL ? '' : name, text] as const)}
        onChange={({ target }) => choose(target.value || USUAL)}
        className="-order-1 sm:hidden"
      />
      <CustomDays period={period} />
    </>
  )
}

/** The days of a custom period, in a row of their own that takes no room from the others. */
function CustomDays({ period: { custom, zone, setCustom } }: { period: SelectedPeriod }) {
  if (!custom) return null
  const today = todayIn(zone)
  return (
    <div data-second-row className="-mr-2 flex w-0 min-w-full xl:justify-end">
      <fieldset
        aria-label="Custom period"
        className="flex h-8 items-center gap-1.5 rounded-lg border bg-card pr-3 pl-1 has-aria-invalid:border-bad"
      >
        <DayField
          label="First day"
          value={custom.from}
          other={custom.to}
          max={today}
          onChange={(from) => setCustom({ ...custom, from })}
        />
        <span aria-hidden className="ml-1.5">
          –
        </span>
        <DayField
          label="Last day"
          value={custom.to}
          other={custom.from}
          max={today}
          onChange={(to) => setCustom({ ...custom, to })}
        />
      </fieldset>
    </div>
  )
}

function ZoneChoice({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const [own, setOwn] = useState<string | null>(null)
  // The server cannot know it, and its first HTML must be the same.
  useEffect(() => setOwn(ownZone()), [])
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
