'use client'

import { Download } from 'lucide-react'
import { useRef } from 'react'
import { EXPORTED_MAX } from '@/server/accounts/plans'
import { useCommands } from '../shell/commands'
import { buttonClass } from '../ui/button'
import type { Filter, ReaderName } from './use-filters'

/** Exports the filtered list as files. */
export function ExportMenu({ reader, filter }: { reader: ReaderName; filter: Filter }) {
  const query = new URLSearchParams({ ...filter, reader })
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
      {format.toUpperCase()}
    </a>
  ))
}
