import type { ReactNode } from 'react'
import { bold } from './bold'

/** The colours of pictures, which know no variables of CSS: those of a dark table, and of the paper on it. */
export const INKS = {
  table: '#0e1311',
  onTable: '#e9efeb',
  onTableSoft: '#a9b8b0',
  mark: '#5fd3a4',
  paper: '#ffffff',
  ink: '#17211c',
  soft: '#56635b',
  line: '#e2ddd0',
  good: '#0a6b4b',
  bad: '#a3241d',
  warn: '#7a4b00',
} as const

const TOOTH = 20

/** The torn edge of a slip, as in the logo: down and up again, from its right edge to its left. */
export function TornEdge({ width, color }: { width: number; color: string }) {
  const edge = `M0 0H${width}V24${'l-10 -14l-10 14'.repeat(width / TOOTH)}z`
  return (
    <svg width={width} height={24} viewBox={`0 0 ${width} 24`} aria-hidden="true">
      <path fill={color} d={edge} />
    </svg>
  )
}

/** A word in a frame, a little turned. */
export function PictureStamp({ tone, children }: { tone: string; children: ReactNode }) {
  return (
    <div
      style={{
        display: 'flex',
        padding: '8px 22px',
        border: `5px solid ${tone}`,
        borderRadius: 12,
        color: tone,
        fontSize: 28,
        letterSpacing: 4,
        transform: 'rotate(-6deg)',
        ...bold(tone, 28),
      }}
    >
      {children}
    </div>
  )
}
