'use client'

import { Download } from 'lucide-react'
import { useRef } from 'react'
import { EXPORTED_MAX } from '@/server/accounts/plans'
import { useCommands } from '../shell/commands'
import { buttonClass } from '../ui/button'
import { type Filter, queryOf, type ReaderName } from './use-filters'

/** Exports the filtered list as files, with dates in the zone. */
export function ExportMenu({ reader, filter, zone }: { reader: ReaderName; filter: Filter; zone: string }) {
  const query = new URLSearchParams([...queryOf(filter), ['reader', reader], ['zone', zone]])
  const links = { csv: useRef<HTMLAnchorElement>(null), json: useRef<HTMLAnchorElement>(null) }
  useCommands([
    { title: 'Export as CSV', key: 'e', icon: Download, run: () => links.csv.current?.click() },
    { title: 'Export as JSON', icon: Download, run: () => links.json.current?.click() },
  ])
  return (['csv', 'json'] as const).map((format) => (
    <a
      key={format}
      ref={links[format]}
      href={`/api/export?${query}&format=${format}`}
      download
      title={`Up to ${EXPORTED_MAX.toLocaleString('en')} of the newest settlements in this list`}
      className={buttonClass({ size: 'small' })}
    >
      <Download aria-hidden className="size-4" />
      <span>
        <span className="max-sm:sr-only">Export </span>
        {format.toUpperCase()}
      </span>
    </a>
  ))
}
