import { Search } from 'lucide-react'
import { Kbd } from '../../ui/kbd'
import { useInBrowser } from '../../ui/use-in-browser'

/** Opens the palette; an icon for narrow screens. */
export function PaletteButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-label="Go to… or search"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="grid size-10 place-items-center rounded-lg hover:bg-code"
    >
      <Search aria-hidden className="size-5" />
    </button>
  )
}

/** Opens the palette; names its shortcut, for wide screens. */
export function PaletteHint({ onOpen }: { onOpen: () => void }) {
  const key = usePaletteKey()
  return (
    <button
      type="button"
      aria-label="Go to… or search"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
      className="flex h-9 items-center gap-2 rounded-lg border bg-card px-2.5 text-soft hover:border-accent max-lg:hidden"
    >
      <Search aria-hidden className="size-4" />
      Go to…
      <Kbd className="ml-auto">{key}</Kbd>
    </button>
  )
}

/** The palette shortcut of this platform. The server cannot know it. */
export function usePaletteKey(): string {
  return useInBrowser(platformKey, 'Ctrl K')
}

const platformKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K')
