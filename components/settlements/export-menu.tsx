'use client'

import { buttonClass } from '../ui/button'
import { Download } from '../ui/icons'
import type { ReaderName } from './screen'
import type { Filter } from './use-filters'

/** The current filter as files. */
export function ExportMenu({ reader, filter }: { reader: ReaderName; filter: Filter }) {
  const query = new URLSearchParams({ ...filter, reader })
  return (['csv', 'json'] as const).map((format) => (
    <a key={format} href={`/api/export?${query}&format=${format}`} download className={buttonClass({ size: 'small' })}>
      <Download aria-hidden className="size-4" />
      {format.toUpperCase()}
    </a>
  ))
}
