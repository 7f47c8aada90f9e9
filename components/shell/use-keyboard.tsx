'use client'

import { useRouter } from 'next/navigation'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { commandFor, commandsNow } from './commands'
import { screensOf, type Who } from './screens'
import { singleKeys } from './single-keys'

// What the keys open is loaded when somebody presses them.
const LAYERS = {
  palette: lazy(() => import('../palette/palette').then(({ Palette }) => ({ default: Palette }))),
  keys: lazy(() => import('../palette/key-list').then(({ KeyList }) => ({ default: KeyList }))),
} as const

export type LayerName = keyof typeof LAYERS

/** What is told to the layers: who asks, how they are put away, and how the other one is shown. */
export type LayerProps = { who: Who; onClose: () => void; show: (layer: LayerName) => void }

/** How long after `g` a screen can be named. */
const LEAD_MS = 2_000

/** Listens to the keys of the whole screen: ⌘K, `?`, `g` with a screen's own, and those of the commands that the screen offers. */
export function useKeyboard(who: Who | null): { openPalette: () => void; layer: ReactNode } {
  const router = useRouter()
  const [shown, show] = useState<LayerName | null>(null)

  function goTo(key: string): void {
    const screen =
      who &&
      screensOf(who)
        .flatMap(({ screens }) => screens)
        .find((one) => one.key === key)
    if (screen) router.push(screen.href)
  }

  const heard = useEffectEvent((event: KeyboardEvent, led: boolean): void => {
    if (!who || event.defaultPrevented) return
    if (isPaletteKey(event)) {
      event.preventDefault()
      if (event.repeat) return
      if (shown === 'palette') show(null)
      else if (!isLayerOpen()) show('palette')
      // What is being loaded has the keys already.
    } else if (shown === null && isOurs(event)) {
      const command = led ? undefined : commandFor(event, commandsNow())
      if (led) goTo(event.key)
      else if (event.key === '?') show('keys')
      if (!command) return
      // A search box that is entered by `/` shall not have it written into it.
      event.preventDefault()
      command.run()
    }
  })

  useEffect(() => {
    let leading = Number.NEGATIVE_INFINITY
    const hear = (event: KeyboardEvent) => {
      // Browsers that fill in a field tell of a key without a name.
      if (event.key === undefined || MODIFIERS.has(event.key)) return
      const led = event.timeStamp - leading < LEAD_MS
      leading = event.key === 'g' && isOurs(event) && !led ? event.timeStamp : Number.NEGATIVE_INFINITY
      heard(event, led)
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])

  const Layer = shown && LAYERS[shown]
  return {
    openPalette: () => show('palette'),
    layer:
      who && Layer ? (
        <Suspense>
          <Layer who={who} onClose={() => show(null)} show={show} />
        </Suspense>
      ) : null,
  }
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph'])

const isPaletteKey = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && metaKey !== ctrlKey && !altKey && !shiftKey

// Not while somebody writes, or decides in a dialog; and nobody has to have letters that act.
function isOurs({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean {
  const writing = target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
  return !(metaKey || ctrlKey || altKey || writing || isLayerOpen()) && singleKeys.areOn()
}

const isLayerOpen = (): boolean => document.querySelector('[role="dialog"]') !== null
