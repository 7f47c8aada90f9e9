import { Pause, Play, RefreshCw } from 'lucide-react'
import { Button } from '../../ui/button'
import type { LiveState } from './use-settlements'

const TEXTS = {
  live: { text: 'Updating', title: 'New settlements appear by themselves. Pause' },
  paused: { text: 'Paused', title: 'New settlements do not appear. Resume' },
  retrying: { text: 'Reconnecting', title: 'New settlements could not be read; the next try follows. Pause' },
} as const

/** Says whether new rows arrive by themselves, and pauses them. Absent where none arrive. */
export function LiveSwitch({ state, onToggle }: { state: LiveState; onToggle: () => void }) {
  if (state === null) return null
  const { text, title } = TEXTS[state]
  const Icon = state === 'paused' ? Play : state === 'retrying' ? RefreshCw : Pause
  return (
    <Button look="quiet" size="small" aria-label={`${text}: ${title}`} title={title} onClick={onToggle}>
      <span
        aria-hidden
        className={`size-2 rounded-full ${state === 'live' ? 'beating bg-accent' : state === 'paused' ? 'bg-line' : 'bg-warn'}`}
      />
      {text}
      <Icon aria-hidden className="size-3.5" />
    </Button>
  )
}

/** A button for the rows that wait because the reader is further down. */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const look = () => {
    onShow()
    scrollTo({ top: 0 })
  }
  return (
    <div role="status" className="sticky top-3 z-20 grid justify-items-center max-lg:top-16">
      {count > 0 ? (
        <Button look="primary" size="small" className="mb-2 rounded-full shadow-lg" onClick={look}>
          {count === 1 ? '1 new settlement' : `${count.toLocaleString('en')} new settlements`}
        </Button>
      ) : null}
    </div>
  )
}
