import type { Figures } from '@/server/discovery/queries'
import { percent, usdc } from '../ui/figures'

/** The figures of a resource as words: volume, paid calls, wallets and the share of payments that succeeded. */
export function figureTexts({ tries, calls, callers, volume }: Figures): { name: string; text: string }[] {
  return [
    { name: 'Volume', text: `${usdc(volume)} USDC` },
    { name: 'Paid calls', text: calls.toLocaleString('en') },
    { name: 'Wallets', text: callers.toLocaleString('en') },
    { name: 'Success rate', text: tries === 0 ? '–' : percent(calls / tries) },
  ]
}

/** The figures in one line of a list; nothing for a resource that was not paid in a completed day. */
export function FigureLine({ figures }: { figures: Figures | null }) {
  if (figures === null || figures.tries === 0) return null
  return (
    <dl className="figure-line" aria-label="Last 30 days">
      {figureTexts(figures).map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
