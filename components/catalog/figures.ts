import type { Figures } from '@/server/discovery/queries'
import { percent, usdc } from '../ui/figures'

/** The figures of a resource as text: volume, paid calls, payers and the share of payments that succeeded. Null without payments. `decimals` aligns a column. */
export function figureTexts(figures: Figures | null, decimals = 0) {
  if (figures === null || figures.tries === 0) return null
  const { tries, calls, callers, volume } = figures
  return {
    volume: usdc(volume, decimals),
    calls: calls.toLocaleString('en'),
    payers: callers.toLocaleString('en'),
    success: percent(calls / tries),
  }
}
