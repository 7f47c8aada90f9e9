'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import type { Shown } from '@/server/history/present'
import { type LiveRows, nothingNew, receive, release, rowsOf } from './live-rows'

const LIVE_MS = 3_000
/** Below so many pixels the reader looks at the first rows. */
const TOP_PX = 160
/** After so many arrivals the page is read again. */
const ARRIVED_MAX = 200

export type Page = { settlements: Shown[]; cursor: string | null; hasMore: boolean }

type Options = {
  /** Null where no rows arrive by themselves: on later pages, in other orders, in ranges that ended. */
  readNewer: ((cursor: string | null) => Promise<Page>) | null
  page: Page | undefined
  /** Reads the first page again. */
  again: () => void
  onFailure: (error: unknown) => void
}

/** What the indicator says; null where nothing arrives. */
export type LiveState = 'live' | 'paused' | 'retrying' | null

/** The rows of a first page, and newer ones as they arrive. They wait while the reader is further down. */
export function useLive({ readNewer, page, again, onFailure }: Options) {
  const [rows, setRows] = useState<LiveRows<Shown>>(() => nothingNew(page?.settlements))
  const [paused, setPaused] = useState(false)
  const [failing, setFailing] = useState(false)
  const settlements = page?.settlements
  if (rows.page !== settlements) setRows(nothingNew(settlements))
  const on = readNewer !== null && page !== undefined
  const read = useEffectEvent((cursor: string | null) => readNewer?.(cursor))
  const arrive = useEffectEvent((newer: readonly Shown[]) => {
    const next = receive(rows, newer, scrollY < TOP_PX ? 'now' : 'later')
    setRows(next)
    if (next.arrived.length > ARRIVED_MAX) again()
  })
  const fail = useEffectEvent((error: unknown) => {
    setFailing(true)
    onFailure(error)
  })
  const start = page?.cursor ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page starts at its own cursor
  useEffect(() => {
    if (!on || paused) return
    return everyWhile(
      LIVE_MS,
      start,
      async (cursor) => {
        const newer = await read(cursor)
        setFailing(newer === undefined)
        if (!newer) return { cursor, more: false }
        arrive(newer.settlements)
        return { cursor: newer.cursor ?? cursor, more: newer.hasMore }
      },
      (error) => fail(error),
    )
  }, [on, paused, start, settlements])
  const show = () => setRows(release(rows))
  const waits = rows.waiting.length > 0
  const reach = useEffectEvent(() => (scrollY < TOP_PX ? show() : undefined))
  useEffect(() => {
    if (!waits) return
    const look = () => reach()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [waits])
  const state: LiveState = !on ? null : paused ? 'paused' : failing ? 'retrying' : 'live'
  return {
    rows: rowsOf(rows),
    arrived: new Set(rows.arrived.map(({ id }) => id)),
    waiting: rows.waiting.length,
    show,
    state,
    toggle: () => setPaused(!paused),
  }
}

type Step = { cursor: string | null; more: boolean }

/** Steps at once when the tab is shown again, and every so often while it is visible. A step that fails is repeated. Returns its end. */
function everyWhile(
  ms: number,
  start: string | null,
  step: (cursor: string | null) => Promise<Step>,
  onFailure: (error: unknown) => void,
): () => void {
  let [cursor, ended, busy] = [start, false, false]
  let timer = setTimeout(run, ms)
  async function run() {
    if (busy || ended || document.hidden) return
    busy = true
    const next = await step(cursor).catch((error: unknown) => {
      if (!ended) onFailure(error)
      return null
    })
    busy = false
    if (ended) return
    if (next) cursor = next.cursor
    timer = setTimeout(run, next?.more ? 0 : ms)
  }
  const wake = () => {
    if (document.hidden) return
    clearTimeout(timer)
    void run()
  }
  document.addEventListener('visibilitychange', wake)
  return () => {
    ended = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', wake)
  }
}
