import { Search } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Kbd } from '../ui/kbd'

/** Opens the palette where there is room for a picture only. */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-label="Go to… or find"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="grid size-10 place-items-center rounded-lg hover:bg-code"
    >
      <Search aria-hidden className="size-5" />
    </button>
  )
}

/** The same where its key is told too. */
export function PaletteHint({ onOpen }: { onOpen: () => void }) {
  const key = usePaletteKey()
  return (
    <button
      type="button"
      aria-label="Go to… or find"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
      className="flex h-9 items-center gap-2 rounded-lg border border-solid border-line bg-card px-2.5 text-soft hover:border-accent max-lg:hidden"
    >
      <Search aria-hidden className="size-4" />
      Go to…
      <Kbd className="ml-auto">{key}</Kbd>
    </button>
  )
}

/** How the key of the palette is called on this machine; on the server it is not known. */
export function usePaletteKey(): string {
  return useSyncExternalStore(nothingChanges, keyHere, () => 'Ctrl K')
}

const nothingChanges = () => () => {}
const keyHere = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K')
