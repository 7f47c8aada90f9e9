'use client'

import { Command } from 'cmdk'
import { useRef, useState } from 'react'
import { type Found, find, kindOf } from '../../client/docs-find'
import { cx } from '../../ui/class-names'
import { Marked, wordsOf } from '../../ui/marked'
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
  const found = index.state === 'ready' ? (query.trim() === '' ? index.places.slice(0, FIRST) : find(index.places, query)) : []
  return (
    <SearchDialog
      title="Search the documentation"
      label="Search the documentation"
      placeholder="Search pages, fields and error codes"
      query={query}
      onQuery={onQuery}
      onClose={onClose}
      note={<Note index={index} load={load} query={query} count={found.length} />}
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
      <Command.List
        label="Results"
        className="min-h-0 overflow-y-auto mask-[linear-gradient(to_bottom,black_calc(100%-2rem),transparent)] px-2 [&>*]:not-empty:pt-2 [&>*]:not-empty:pb-8"
      >
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
    </SearchDialog>
  )
}

/** The pages that show before a word is typed: the first of the menu. */
const FIRST = 6

type PlaceProps = { place: Found; sought: string; onChoose: () => void }

function Place({ place, sought, onChoose }: PlaceProps) {
  const { title, page, href, about } = place
  const isCode = kindOf(place) === 'Error codes'
  const isPart = !isCode && href.includes('#')
  return (
    <Command.Item asChild value={`${href} ${title}`} onSelect={onChoose} className={RESULT}>
      <a href={href} tabIndex={-1} className="text-ink no-underline">
        <span className="grid min-w-0 grow">
          <span className={cx('wrap-anywhere', isCode && 'font-mono text-sm')}>
            {isPart ? <span className="text-soft">{page} › </span> : null}
            <Marked text={breaking(title)} sought={breaking(sought)} />
          </span>
          {about ? (
            <span className="line-clamp-2 text-sm text-soft">
              <Marked text={sentenceWith(about, sought)} sought={sought} />
            </span>
          ) : null}
        </span>
      </a>
    </Command.Item>
  )
}

// A long code breaks between its words: a blank of no width follows each underscore.
const breaking = (text: string): string => text.replaceAll('_', '_\u200b')

// Two lines show, and what was typed may be further down.
function sentenceWith(text: string, sought: string): string {
  const words = wordsOf(sought)
  const found = (sentence: string) => words.filter((word) => sentence.toLowerCase().includes(word)).length
  const sentences = text.split(/(?<=\.) /)
  const most = Math.max(...sentences.map(found))
  return most > 0 ? (sentences.find((one) => found(one) === most) ?? text) : text
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
  if (query.trim() === '') return null
  if (count === 0) return 'No results. Try fewer or other words.'
  return count === 1 ? '1 result' : `${count} results`
}
