'use client'

import { Command } from 'cmdk'
import { useRef, useState } from 'react'
import { type Found, find } from '../../client/docs-find'
import { RESULT, SearchDialog } from '../../ui/search-dialog'

/** The places that the search knows. */
export type Index = { state: 'closed' | 'loading' } | { state: 'failed' } | { state: 'ready'; places: Found[] }

type Props = {
  index: Index
  load: () => Promise<void>
  query: string
  onQuery: (query: string) => void
  onClose: () => void
}

/** The open search of the documentation, with the places that it found. */
export function Places({ index, load, query, onQuery, onClose }: Props) {
  const [opener] = useState(() => document.activeElement)
  const chosen = useRef(false)
  const found = index.state === 'ready' ? find(index.places, query) : []
  return (
    <SearchDialog
      title="Search the documentation"
      label="Search the documentation"
      placeholder="Search pages, fields and error codes"
      query={query}
      onQuery={onQuery}
      onClose={onClose}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        // A chosen place scrolls into view by itself.
        if (!chosen.current && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.currentTarget.querySelector<HTMLElement>('a[aria-selected="true"]')?.click()
      }}
    >
      <Command.List label="Results" className="min-h-0 overflow-y-auto px-2 [&>*]:pt-2 [&>*]:empty:pt-0">
        {found.map(({ title, page, href, about }) => (
          <Command.Item
            key={`${href} ${title}`}
            asChild
            value={`${href} ${title}`}
            onSelect={() => {
              chosen.current = true
              onClose()
            }}
            className={RESULT}
          >
            <a href={href} tabIndex={-1} className="text-ink no-underline">
              <span className="grid min-w-0 grow">
                <span className="font-medium wrap-anywhere">{title}</span>
                {about ? <span className="truncate text-sm text-soft">{about}</span> : null}
              </span>
              <span className="text-xs whitespace-nowrap text-soft">{page}</span>
            </a>
          </Command.Item>
        ))}
      </Command.List>
      <p role="status" className="px-4 py-3 text-sm text-soft">
        <Note index={index} load={load} query={query} count={found.length} />
      </p>
    </SearchDialog>
  )
}

type NoteProps = Pick<Props, 'index' | 'load' | 'query'> & { count: number }

function Note({ index, load, query, count }: NoteProps) {
  if (index.state === 'failed') {
    return (
      <>
        The search could not be loaded.{' '}
        <button type="button" className="text-button" onClick={() => void load()}>
          Try again
        </button>
      </>
    )
  }
  if (index.state !== 'ready') return 'Loading…'
  if (query.trim() === '') return 'Type a word, a path, a field or an error code.'
  if (count === 0) return 'No results. Try fewer or other words.'
  return (
    <>
      {count === 1 ? '1 result' : `${count} results`}
      <span className="[@media(hover:none)]:hidden">. Use the arrow keys and Enter.</span>
    </>
  )
}
