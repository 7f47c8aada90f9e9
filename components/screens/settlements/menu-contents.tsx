import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { EXPORTED_MAX } from '@/server/history/export-limit'
import type { ReaderName } from '../../client/filter-parsers'
import { ownZone } from '../../client/zone'
import { Button } from '../../ui/button'
import { Segments } from '../../ui/segments'
import { columns, columnsFor } from './columns'
import type { Density, View } from './use-view'

const DENSITIES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const satisfies (readonly [Density, string])[]

/** The formats of exports. Totals are sums of months. */
export type Format = 'csv' | 'json' | 'totals'

/** Which payments a file has: accounts need the settled ones only. */
export type Outcomes = 'settled' | 'all'

const OUTCOMES = [
  ['settled', 'Settled'],
  ['all', 'All outcomes'],
] as const satisfies (readonly [Outcomes, string])[]

const FORMATS = [
  ['csv', 'Export CSV', 'A row per payment'],
  ['json', 'Export JSON', 'An object per payment'],
  ['totals', 'Monthly totals (CSV)', 'A row per month, token and network'],
] as const satisfies (readonly [Format, string, string])[]

type ExportsProps = {
  /** Whether the list has both outcomes, so that there is a choice. */
  choosable: boolean
  /** What the amounts of the file come to; null if that is not known. */
  total: string | null
  urlOf: (format: Format, outcomes: Outcomes) => string
  onExport: () => void
}

/** The links of the exports, with the choice of outcomes. */
export function Exports({ choosable, total, urlOf, onExport }: ExportsProps) {
  const [outcomes, setOutcomes] = useState<Outcomes>('settled')
  return (
    <div className="grid gap-2">
      {total ? <p className="text-sm font-medium tabular-nums">{total}</p> : null}
      {choosable ? <Segments label="Payments to export" value={outcomes} options={OUTCOMES} onChange={setOutcomes} /> : null}
      <div className="-mx-2 grid">
        {FORMATS.map(([format, text, about]) => (
          <a
            key={format}
            href={urlOf(format, outcomes)}
            download
            aria-label={text}
            onClick={onExport}
            className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2.5 rounded-lg px-2 py-1.5 text-ink no-underline hover:bg-code"
          >
            <Download aria-hidden className="mt-1 size-4 text-accent" />
            <span className="font-medium">{text}</span>
            <span className="col-start-2 text-sm text-soft">{about}</span>
          </a>
        ))}
      </div>
      <p className="text-xs text-soft">
        Up to {EXPORTED_MAX.toLocaleString('en')} newest rows of this list.
        {choosable && outcomes === 'all' ? ' Failed amounts are in a separate column.' : null}
      </p>
    </div>
  )
}

/** The choice of the time zone. */
export function Zones({ zone, onChoose }: { zone: string; onChoose: (zone: string) => void }) {
  return (
    <Group title="Time zone">
      {zonesOf(zone).map((one) => (
        <Option key={one} kind="radio" name="zone" checked={one === zone} onChange={() => onChoose(one)}>
          {one}
        </Option>
      ))}
    </Group>
  )
}

type LookProps = { reader: ReaderName; view: View }

/** How the rows look: their height and their columns. */
export function Look({ reader, view }: LookProps) {
  return (
    <>
      <Densities view={view} />
      <Columns reader={reader} view={view} />
    </>
  )
}

function Densities({ view }: Pick<LookProps, 'view'>) {
  return (
    <Group title="Density">
      {DENSITIES.map(([name, title]) => (
        <Option
          key={name}
          kind="radio"
          name="density"
          checked={name === view.density}
          onChange={() => view.choose({ density: name })}
        >
          {title}
        </Option>
      ))}
    </Group>
  )
}

function Columns({ reader, view }: LookProps) {
  return (
    <Group title="Columns">
      {columnsFor(reader).map((name) => (
        <Option
          key={name}
          kind="checkbox"
          name={name}
          checked={view.columns.includes(name)}
          disabled={name === 'time'}
          onChange={(checked) =>
            view.choose({ columns: checked ? [...view.columns, name] : view.columns.filter((one) => one !== name) })
          }
        >
          {columns[name]}
        </Option>
      ))}
      <Button look="quiet" size="small" className="-ml-3 justify-self-start" onClick={() => view.choose({ columns: null })}>
        Reset columns
      </Button>
    </Group>
  )
}

// UTC, the browser's zone, and that of a link.
const zonesOf = (chosen: string): string[] => [...new Set(['UTC', ownZone(), chosen])]

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 text-xs font-medium text-soft">{title}</legend>
      {children}
    </fieldset>
  )
}

type OptionProps = {
  kind: 'radio' | 'checkbox'
  name: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}

function Option({ kind, name, checked, disabled = false, onChange, children }: OptionProps) {
  return (
    <label className="flex items-center gap-2.5 max-md:min-h-9">
      <input type={kind} name={name} checked={checked} disabled={disabled} onChange={({ target }) => onChange(target.checked)} />
      {children}
    </label>
  )
}
