'use client'

import { Search, Server, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { environments, networkIds, networksIn } from '@/server/x402/networks'
import { useCommands } from '../shell/commands'
import { Button } from '../ui/button'
import { Choice, optionOf } from '../ui/fields'
import { titleOf } from './explorer'
import { OwnerAndTenant } from './owner-and-tenant'
import type { useFilters } from './use-filters'

const STATUS = [
  ['', 'All outcomes'],
  ['success', 'Settled'],
  ['failed', 'Failed'],
] as const
const ENVIRONMENTS = [
  ['', 'All environments'],
  ...environments.map((name) => [name, name === 'mainnet' ? 'Mainnets' : 'Testnets'] as const),
] as const

/** Filters that links set; a click clears them. */
const CHIPS = [
  ['resource', 'Clear resource filter'],
  ['payer', 'Clear payer filter'],
  ['transaction', 'Clear transaction filter'],
] as const

type Props = ReturnType<typeof useFilters> & {
  keys?: readonly (readonly [id: string, name: string])[]
  /** Whether the list covers all owners. */
  allOwners?: boolean
}

/** The filters of a settlement list, kept in the URL. */
export function Filters({ filter, change, clear, any, keys, allOwners = false }: Props) {
  const other = filter.environment === 'testnet' ? 'mainnet' : 'testnet'
  useCommands([
    { title: `Show ${other}s only`, key: 'm', icon: Server, run: () => void change({ environment: other, network: null }) },
  ])
  const selectable = filter.environment ? networksIn(filter.environment) : networkIds
  const networks = [['', 'All networks'], ...selectable.map((id) => [id, titleOf(id)] as const)] as const
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
      <SearchBox
        key={filter.search ?? ''}
        initial={filter.search ?? ''}
        onSearch={(search) => change({ search: search || null })}
      />
      <Choice
        label="Outcome"
        value={filter.status ?? ''}
        options={STATUS}
        onChange={({ target }) => change({ status: optionOf(STATUS, target.value) })}
      />
      <Choice
        label="Environment"
        value={filter.environment ?? ''}
        options={ENVIRONMENTS}
        onChange={({ target }) => change({ environment: optionOf(ENVIRONMENTS, target.value), network: null })}
      />
      <Choice
        label="Network"
        value={filter.network ?? ''}
        options={networks}
        onChange={({ target }) => change({ network: optionOf(networks, target.value) })}
      />
      {keys && keys.length > 1 ? (
        <Choice
          label="API key"
          value={filter.key ?? ''}
          options={[['', 'All keys'], ...keys]}
          onChange={({ target }) => change({ key: target.value || null })}
        />
      ) : null}
      {allOwners ? <OwnerAndTenant filter={filter} change={change} /> : null}
      {CHIPS.map(([name, all]) =>
        filter[name] ? (
          <Button key={name} size="small" onClick={() => change({ [name]: null })} title={filter[name]} className="max-w-72">
            <span className="truncate">{filter[name]}</span>
            <X aria-label={all} className="size-3.5" />
          </Button>
        ) : null,
      )}
      {any ? (
        <Button look="quiet" size="small" onClick={clear}>
          Clear
        </Button>
      ) : null}
    </search>
  )
}

function SearchBox({ initial, onSearch }: { initial: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(initial)
  const box = useRef<HTMLInputElement>(null)
  useCommands([{ title: 'Search by transaction or address', key: '/', icon: Search, run: () => box.current?.focus() }])
  return (
    <form
      className="relative min-w-56 grow basis-56 max-sm:col-span-2 sm:max-w-sm"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft" />
      <input
        ref={box}
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        aria-label="Search by transaction or address"
        placeholder="Transaction or address"
        className="h-9 w-full rounded-lg border border-solid border-line bg-card pr-3 pl-9"
      />
    </form>
  )
}
