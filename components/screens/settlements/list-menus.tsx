'use client'

import { Download, Ellipsis, SlidersHorizontal } from 'lucide-react'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { queryOf } from '../../client/use-filters'
import { useCommands } from '../../ui/commands'
import { download } from '../../ui/download'
import { later } from '../../ui/later'
import { Menu } from '../../ui/menu'
import { Skeleton } from '../../ui/panel'
import type { Format } from './menu-contents'
import type { View } from './use-view'

// Loaded when a menu first opens.
const contents = () => import('./menu-contents')
const Exports = later(() => contents().then((loaded) => loaded.Exports), <Skeleton className="h-[6.75rem]" />)
const Zones = later(() => contents().then((loaded) => loaded.Zones), <Skeleton className="h-[4.25rem]" />)
const Look = later(() => contents().then((loaded) => loaded.Look), <Skeleton className="h-[22rem]" />)

type Props = { reader: ReaderName; filter: Filter; view: View; zone: string; chooseZone: (zone: string) => void }

/** The menus of a list: its exports, and how it looks. A phone has one menu for both. */
export function ListMenus({ reader, filter, view, zone, chooseZone }: Props) {
  const urlOf = (format: Format) => exportUrl(format, reader, filter, zone)
  useCommands([
    { title: 'Export as CSV', key: 'e', icon: Download, run: () => download(urlOf('csv')) },
    { title: 'Export as JSON', icon: Download, run: () => download(urlOf('json')) },
  ])
  const exports = <Exports urlOf={urlOf} />
  const zones = <Zones zone={zone} onChoose={chooseZone} />
  return (
    <>
      <Menu
        title="Export"
        className="max-md:hidden"
        label={
          <>
            <Download aria-hidden className="size-4" /> Export
          </>
        }
      >
        {exports}
      </Menu>
      <Menu
        title="View"
        className="max-md:hidden"
        label={
          <>
            <SlidersHorizontal aria-hidden className="size-4" /> View
          </>
        }
      >
        {zones}
        <Look reader={reader} view={view} />
      </Menu>
      <Menu title="More" className="md:hidden" label={<Ellipsis aria-label="More" className="size-4" />}>
        {exports}
        {zones}
      </Menu>
    </>
  )
}

/** The file of a filtered list, with dates in the zone. */
export function exportUrl(format: Format, reader: ReaderName, filter: Filter, zone: string): string {
  return `/api/export?${new URLSearchParams([...queryOf(filter), ['reader', reader], ['zone', zone], ['format', format]])}`
}
