'use client'

import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { ownZone, useZoneChoice } from '../data/zone'
import { Button } from '../ui/button'
import { Menu } from '../ui/menu'
import { columns, columnsFor } from './columns'
import type { ReaderName } from './use-filters'
import type { Density, View } from './use-view'

const DENSITIES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const satisfies (readonly [Density, string])[]

/** Chooses columns, density and time zone of a list. */
export function ViewMenu({ reader, view }: { reader: ReaderName; view: View }) {
  const [zone, chooseZone] = useZoneChoice()
  return (
    <Menu
      title="View"
      label={
        <>
          <SlidersHorizontal aria-hidden className="size-4" /> View
        </>
      }
    >
      <Group title="Time zone">
        {zonesOf(zone).map((one) => (
          <Option key={one} kind="radio" name="zone" checked={one === zone} onChange={() => chooseZone(one)}>
            {one}
          </Option>
        ))}
      </Group>
      <Group title="Density" className="max-md:hidden">
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
      <Group title="Columns" className="max-md:hidden">
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
          Usual columns
        </Button>
      </Group>
    </Menu>
  )
}

// UTC, the browser's zone, and that of a link.
const zonesOf = (chosen: string): string[] => [...new Set(['UTC', ownZone(), chosen])]

function Group({ title, className, children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <fieldset className={`m-0 grid min-w-0 gap-1.5 border-0 p-0 ${className ?? ''}`}>
      <legend className="mb-1.5 p-0 text-xs font-medium text-soft">{title}</legend>
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
    <label className="flex items-center gap-2.5">
      <input type={kind} {...{ name, checked, disabled }} onChange={({ target }) => onChange(target.checked)} />
      {children}
    </label>
  )
}
