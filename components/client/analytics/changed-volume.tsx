import { Changed } from '../../ui/figures'
import { changedVolume } from './changes'

/** How a volume changed since the period before, which may have had none. Both are atomic units; `before` null if unknown. */
export function ChangedVolume({ now, before }: { now: string; before: string | null }) {
  if (before === null) return <span className="text-soft">–</span>
  const change = changedVolume(BigInt(now), BigInt(before))
  if (change) return <Changed change={change} />
  return BigInt(now) > 0n ? <span className="text-soft">New</span> : <span className="text-soft">–</span>
}
