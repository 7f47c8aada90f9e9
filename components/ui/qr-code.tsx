import { encode } from 'uqr'

/** A text as a QR code, dark on light in both themes, because some readers need that. Load it where it shows: its library is large. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className="w-full rounded-md">
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#111" />
    </svg>
  )
}
