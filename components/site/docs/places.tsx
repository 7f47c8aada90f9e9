'use client'

import { Command } from 'cmdk'
import { Fragment, useRef, useState } from 'react'
import { type Found, find, kindOf } from '../../client/docs-find'
import { cx } from '../../ui/class-names'
import { Marked } from '../../ui/marked'
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
        {[...new Set(found.map(kindOf))].map((kind) => (
          <Command.Group
            key={kind}
            heading={kind}
            className="pb-1 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft"
          >
            {found
              .filter((place) => kindOf(place) === kind)
              .map((place) => (
                <Place
                  key={`${place.href} ${place.title}`}
                  place={place}
                  sought={query}
                  onChoose={() => {
                    chosen.current = true
                    onClose()
                  }}
                />
              ))}
          </Command.Group>
        ))}
      </Command.List>
      <p role="status" className="px-4 py-3 text-sm text-soft">
        <Note index={index} load={load} query={query} count={found.length} />
      </p>
    </SearchDialog>
  )
}

type PlaceProps = { place: Found; sought: string; onChoose: () => void }

function Place({ place, sought, onChoose }: PlaceProps) {
  const { title, page, href, about } = place
  const isCode = kindOf(place) === 'Error codes'
  return (
    <Command.Item asChild value={`${href} ${title}`} onSelect={onChoose} className={RESULT}>
      <a href={href} tabIndex={-1} className="text-ink no-underline">
        <span className="grid min-w-0 grow">
          <span className={cx('wrap-anywhere', isCode && 'font-mono text-sm')}>
            {/* A long code breaks between its words. */}
            {title.split(/(?<=_)/).map((part, at) => (
              <Fragment key={title.slice(0, at) + part}>
                {at > 0 ? <wbr /> : null}
                <Marked text={part} sought={sought} />
              </Fragment>
            ))}
          </span>
          {about ? (
            <span className="line-clamp-2 text-sm text-soft">
              <Marked text={about} sought={sought} />
            </span>
          ) : null}
        </span>
        {isCode ? null : <span className="text-xs whitespace-nowrap text-soft max-sm:hidden">{page}</span>}
      </a>
    </Command.Item>
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
      <span className="max-sm:hidden [@media(hover:none)]:hidden">. Use the arrow keys and Enter.</span>
    </>
  )
}
