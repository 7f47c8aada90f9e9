'use client'

import { createParser, useQueryState } from 'nuqs'
import { useEffect, useSyncExternalStore } from 'react'
import { isZone } from '@/server/base/zones'
import { useRemembered } from './remembered'

const UTC = 'UTC'

const listeners = new Set<() => void>()
/** The zone in the URL, which no other link of the page knows. */
let named: string | null = null

/** The time zone of all dates: the one in the URL, else the one that the viewer chose, else UTC. */
export function useZone(): string {
  const [remembered] = useRemembered('zone')
  const inUrl = useSyncExternalStore(
    subscribe,
    () => named,
    () => null,
  )
  return inUrl ?? (remembered !== null && isZone(remembered) ? remembered : UTC)
}

/** The zone of the browser. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Parses a time zone in the URL. */
const parseAsZone = createParser({ parse: (text) => (isZone(text) ? text : null), serialize: (zone: string) => zone })

/** The zone with its setter, for a screen that keeps it in the URL. */
export function useZoneChoice(): [zone: string, choose: (zone: string) => void] {
  const zone = useZone()
  const [inUrl, setInUrl] = useQueryState('zone', parseAsZone)
  const [, setRemembered] = useRemembered('zone')
  useEffect(() => {
    show(inUrl)
    return () => show(null)
  }, [inUrl])
  const choose = (next: string) => {
    setRemembered(next)
    void setInUrl(next)
  }
  return [inUrl ?? zone, choose]
}

function show(zone: string | null): void {
  named = zone
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
