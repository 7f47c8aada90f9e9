import type { Figures } from '@/server/discovery/queries'
import { shareText, usdc } from '../../ui/figures'

/** The figures of a resource as text: volume, paid calls, payers and the share of payments that succeeded. Null without payments. */
export function figureTexts(figures: Figures | null) {
  if (figures === null || figures.tries === 0) return null
  const { tries, calls, callers, volume } = figures
  return {
    volume: usdc(volume),
    calls: calls.toLocaleString('en'),
    payers: callers.toLocaleString('en'),
    success: shareText(calls / tries),
  }
}
