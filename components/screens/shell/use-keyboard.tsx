'use client'

import { useRouter } from 'next/navigation'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { screensOf, type Who } from '../../client/screen-list'
import { commandFor, commandsNow, isSearchKey, isTyping, singleKeys } from '../../ui/commands'
import type { LayerName } from './layers'

// Loaded on first use.
const LAYERS = {
  palette: lazy(() => import('./palette/palette').then(({ Palette }) => ({ default: Palette }))),
  keys: lazy(() => import('./palette/key-list').then(({ KeyList }) => ({ default: KeyList }))),
} as const satisfies Record<LayerName, unknown>

/** How long `g` waits for the key of a screen. */
const PREFIX_MS = 2_000

/** Handles shortcuts: ⌘K, `?`, `g` then a screen's key, and the commands of the current screen. */
export function useKeyboard(who: Who | null): { openPalette: () => void; layer: ReactNode } {
  const router = useRouter()
  const [shown, setShown] = useState<LayerName | null>(null)

  function goTo(key: string): void {
    const screen =
      who &&
      screensOf(who)
        .flatMap(({ screens }) => screens)
        .find((one) => one.key === key)
    if (screen) router.push(screen.href)
  }

  const handle = useEffectEvent((event: KeyboardEvent, afterPrefix: boolean): void => {
    if (!who || event.defaultPrevented) return
    if (isSearchKey(event)) {
      event.preventDefault()
      if (event.repeat) return
      if (shown === 'palette') setShown(null)
      else if (!isLayerOpen()) setShown('palette')
      // A layer that still loads already owns the keys.
    } else if (shown === null && isShortcut(event)) {
      const command = afterPrefix ? undefined : commandFor(event, commandsNow())
      if (afterPrefix) goTo(event.key)
      else if (event.key === '?') setShown('keys')
      if (!command) return
      // Keeps `/` out of the search box that it focuses.
      event.preventDefault()
      command.run()
    }
  })

  useEffect(() => {
    let prefixAt = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent) => {
      // Autofill sends key events without a key.
      if (event.key === undefined || MODIFIERS.has(event.key)) return
      const afterPrefix = event.timeStamp - prefixAt < PREFIX_MS
      prefixAt = event.key === 'g' && isShortcut(event) && !afterPrefix ? event.timeStamp : Number.NEGATIVE_INFINITY
      handle(event, afterPrefix)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  const Layer = shown && LAYERS[shown]
  return {
    openPalette: () => setShown('palette'),
    layer:
      who && Layer ? (
        <Suspense>
          <Layer who={who} onClose={() => setShown(null)} show={setShown} />
        </Suspense>
      ) : null,
  }
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph'])

// Not while typing, not above a dialog, and only if single keys are on.
function isShortcut({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean {
  return !(metaKey || ctrlKey || altKey || isTyping(target) || isLayerOpen()) && singleKeys.areOn()
}

const isLayerOpen = (): boolean => document.querySelector('[role="dialog"]') !== null
