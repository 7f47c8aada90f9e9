import type { Figures } from '@/server/discovery/queries'
import { USDC } from '@/server/x402/networks/assets'
import { moneyText, shareText } from '../../ui/figures'

/** The figures of a resource as text: volume, paid calls, payers and the share of valid payments that settled. Null without payments. */
export function figureTexts(figures: Figures | null) {
  if (figures === null || figures.tries === 0) return null
  const { tries, calls, callers, volume } = figures
  return {
    volume: moneyText(volume, USDC),
    calls: calls.toLocaleString('en'),
    payers: callers.toLocaleString('en'),
    success: shareText(calls / tries),
  }
}
