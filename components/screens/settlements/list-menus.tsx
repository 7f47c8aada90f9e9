'use client'

import { Download, Ellipsis, SlidersHorizontal } from 'lucide-react'
import { EXPORTED_MAX } from '@/server/history/export-limit'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { queryOf } from '../../client/use-filters'
import { useCommands } from '../../ui/commands'
import { download } from '../../ui/download'
import { later } from '../../ui/later'
import { Menu } from '../../ui/menu'
import { notice } from '../../ui/notice'
import { Skeleton } from '../../ui/panel'
import type { Format, Outcomes } from './menu-contents'
import { fileTotalText, type Summary } from './summary'
import type { View } from './use-view'

// Loaded when a menu first opens.
const contents = () => import('./menu-contents')
const Exports = later(() => contents().then((loaded) => loaded.Exports), <Skeleton className="h-[14.5rem]" />)
const Zones = later(() => contents().then((loaded) => loaded.Zones), <Skeleton className="h-[4.25rem]" />)
const Look = later(() => contents().then((loaded) => loaded.Look), <Skeleton className="h-[22rem]" />)

type Props = {
  reader: ReaderName
  filter: Filter
  view: View
  zone: string
  chooseZone: (zone: string) => void
  /** The counts and sums of the list; undefined until they are known. */
  summary: Summary | undefined
}

/** The menus of a list: its exports, and how it looks. A phone has one menu for both. */
export function ListMenus({ reader, filter, view, zone, chooseZone, summary }: Props) {
  const total = summary ? fileTotalText(summary, filter, EXPORTED_MAX) : null
  const urlOf = (format: Format, outcomes: Outcomes) => exportUrl(format, reader, filter, zone, outcomes)
  const run = (format: Format) => {
    download(urlOf(format, 'settled'))
    noticeStart(total)
  }
  useCommands([
    { title: 'Export as CSV', key: 'e', icon: Download, run: () => run('csv') },
    { title: 'Export as JSON', icon: Download, run: () => run('json') },
    { title: 'Export monthly totals', icon: Download, run: () => run('totals') },
  ])
  const exportsUntil = (close: () => void) => {
    const onExport = () => {
      noticeStart(total)
      close()
    }
    return <Exports choosable={!filter.status && !filter.reason} total={total} urlOf={urlOf} onExport={onExport} />
  }
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
        {exportsUntil}
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
        {(close) => (
          <>
            {exportsUntil(close)}
            {zones}
          </>
        )}
      </Menu>
    </>
  )
}

// The server streams the file; the browser shows how far it is.
const noticeStart = (total: string | null) =>
  notice.success(['Export started. Your browser saves the file.', ...(total === null ? [] : [total])].join(' '))

/** The file of a filtered list, with dates in the zone. A list of both outcomes is narrowed to the settled ones, unless all are wanted. */
export function exportUrl(format: Format, reader: ReaderName, filter: Filter, zone: string, outcomes: Outcomes): string {
  const narrowed = outcomes === 'all' || filter.status || filter.reason ? filter : { ...filter, status: 'success' as const }
  return `/api/export?${new URLSearchParams([...queryOf(narrowed), ['reader', reader], ['zone', zone], ['format', format]])}`
}
