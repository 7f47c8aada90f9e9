'use client'

import { Search, Server, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { environments, networksIn } from '@/server/x402/environments'
import { networkIds } from '@/server/x402/networks'
import { useCommands } from '../shell/commands'
import { Button } from '../ui/button'
import { Choice } from '../ui/fields'
import { titleOf } from './explorer'
import { OwnerAndTenant } from './owner-and-tenant'
import type { useFilters } from './use-filters'

const STATUS = [
  ['', 'Any outcome'],
  ['success', 'Settled'],
  ['failed', 'Failed'],
] as const
const ENVIRONMENTS = [
  ['', 'Any environment'],
  ...environments.map((name) => [name, name === 'mainnet' ? 'Mainnets' : 'Testnets'] as const),
] as const

/** Narrowed by links and not by a choice: shown while they are there, and taken away by a click. */
const CHIPS = [
  ['resource', 'Every resource'],
  ['payer', 'Every payer'],
  ['transaction', 'Every transaction'],
] as const

type Props = ReturnType<typeof useFilters> & {
  keys?: readonly (readonly [id: string, name: string])[]
  /** Whether the list is of all owners. */
  everybody?: boolean
}

/** What narrows a list of settlements: all of it stands in the address of the page. */
export function Filters({ filter, change, clear, any, keys, everybody = false }: Props) {
  const other = filter.environment === 'testnet' ? 'mainnet' : 'testnet'
  useCommands([
    { title: `Show ${other}s only`, key: 'm', icon: Server, run: () => void change({ environment: other, network: null }) },
  ])
  const offered = filter.environment ? networksIn(filter.environment) : networkIds
  const networks = [['', 'Any network'], ...offered.map((id) => [id, titleOf(id)] as const)] as const
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2 max-sm:grid max-sm:grid-cols-2">
      <SearchBox
        key={filter.search ?? ''}
        initially={filter.search ?? ''}
        onSearch={(search) => change({ search: search || null })}
      />
      <Choice
        label="Outcome"
        value={filter.status ?? ''}
        options={STATUS}
        onChange={({ target }) => change({ status: oneOf(STATUS, target.value) })}
      />
      <Choice
        label="Environment"
        value={filter.environment ?? ''}
        options={ENVIRONMENTS}
        onChange={({ target }) => change({ environment: oneOf(ENVIRONMENTS, target.value), network: null })}
      />
      <Choice
        label="Network"
        value={filter.network ?? ''}
        options={networks}
        onChange={({ target }) => change({ network: oneOf(networks, target.value) })}
      />
      {keys && keys.length > 1 ? (
        <Choice
          label="API key"
          value={filter.key ?? ''}
          options={[['', 'All keys'], ...keys]}
          onChange={({ target }) => change({ key: target.value || null })}
        />
      ) : null}
      {everybody ? <OwnerAndTenant filter={filter} change={change} /> : null}
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

function oneOf<T extends string>(options: readonly (readonly [T, string])[], value: string): Exclude<T, ''> | null {
  const found = options.find(([name]) => name === value)?.[0]
  return found ? (found as Exclude<T, ''>) : null
}

function SearchBox({ initially, onSearch }: { initially: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(initially)
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
