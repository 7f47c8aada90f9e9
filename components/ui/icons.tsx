import type { SVGProps } from 'react'

/** A picture in the colour of the text beside it; its size comes from its class. */
export type Icon = (props: SVGProps<SVGSVGElement>) => React.JSX.Element

/** An icon of lines on a grid of 24 by 24. */
function drawn(lines: string): Icon {
  return (props) => (
    // biome-ignore lint/a11y/noSvgWithoutTitle: whoever gives it a label names it, the others stand beside a text
    <svg
      role={props['aria-label'] ? 'img' : undefined}
      aria-hidden={props['aria-label'] ? undefined : true}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      <path d={lines} />
    </svg>
  )
}

/** A circle as part of a path. */
const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`

export const Activity = drawn('M3 12h4l3-8 4 16 3-8h4')
export const ArrowDown = drawn('M12 5v14m-6-6 6 6 6-6')
export const ArrowLeft = drawn('M19 12H5m6-6-6 6 6 6')
export const ArrowUp = drawn('M12 19V5m-6 6 6-6 6 6')
export const ArrowUpRight = drawn('M7 17 17 7M9 7h8v8')
export const Bot = drawn(
  'M12 8V4.5M7 8h10a3 3 0 0 1 3 3v5a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3v-5a3 3 0 0 1 3-3zM9 12.5v2m6-2v2M1.5 13v2m21-2v2',
)
export const Check = drawn('m5 12.5 4.5 4.5L19 7')
export const ChevronLeft = drawn('m14.5 6-6 6 6 6')
export const ChevronRight = drawn('m9.5 6 6 6-6 6')
export const Command = drawn(
  'M9 9h6v6H9zM9 9H6.5A2.5 2.5 0 1 1 9 6.5zm6 0V6.5A2.5 2.5 0 1 1 17.5 9zm0 6h2.5a2.5 2.5 0 1 1-2.5 2.5zm-6 0v2.5A2.5 2.5 0 1 1 6.5 15z',
)
export const Compass = drawn(`${circle(12, 12, 9)}M15.5 8.5l-2 5-5 2 2-5z`)
export const Copy = drawn(
  'M10 9h8a1.5 1.5 0 0 1 1.5 1.5v8A1.5 1.5 0 0 1 18 20h-8a1.5 1.5 0 0 1-1.5-1.5v-8A1.5 1.5 0 0 1 10 9zM5.5 15A1.5 1.5 0 0 1 4 13.5v-8A1.5 1.5 0 0 1 5.5 4h8A1.5 1.5 0 0 1 15 5.5',
)
export const Download = drawn('M12 4v11m-5-5 5 5 5-5M5 20h14')
export const Gauge = drawn('M4.5 18a9 9 0 1 1 15 0M12 14l4-5M12 14h.01')
export const KeyRound = drawn(`${circle(8, 15.5, 4.5)}M11.5 12.5 20 4m-3.5 3.5 2.5 2.5`)
export const LayoutDashboard = drawn('M4 4h6.5v8H4zM13.5 4H20v5h-6.5zM13.5 12.5H20V20h-6.5zM4 15.5h6.5V20H4z')
export const ListOrdered = drawn('M10 6h10M10 12h10M10 18h10M4 5.5 5.5 5v3.5M4 15.5h2.5L4 19h2.5')
export const LoaderCircle = drawn('M20.5 12a8.5 8.5 0 1 1-6-8.1')
export const LogOut = drawn('M10 4H6.5A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20H10m5-12 4 4-4 4m4-4H10')
export const Menu = drawn('M4 7h16M4 12h16M4 17h16')
export const Plus = drawn('M12 5v14M5 12h14')
export const Printer = drawn('M7 9V4h10v5M7 17H4.5v-6A1.5 1.5 0 0 1 6 9.5h12a1.5 1.5 0 0 1 1.5 1.5v6H17M7 14h10v6H7z')
export const ReceiptText = drawn(
  'M5 3.5 7.3 5l2.4-1.5L12 5l2.3-1.5L16.7 5 19 3.5v17L16.7 19l-2.4 1.5L12 19l-2.3 1.5L7.3 19 5 20.5zM9 9.5h6M9 13.5h6',
)
export const Rocket = drawn(
  'M9 15 6 12c1.5-5 5.5-8.5 13-8 .5 7.5-3 11.5-8 13zM6 12H3c.5-2.5 2-4 5-4m4 8v3c2.5-.5 4-2 4-5M4 20c.2-2 .8-3 2.5-3M14 10h.01',
)
export const Search = drawn(`${circle(11, 11, 6.5)}M20 20l-4.3-4.3`)
export const Server = drawn(
  'M5.5 4h13A1.5 1.5 0 0 1 20 5.5v4a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 9.5v-4A1.5 1.5 0 0 1 5.5 4zM5.5 13h13a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-4A1.5 1.5 0 0 1 5.5 13zM7.5 7.5h.01M7.5 16.5h.01',
)
export const Settings2 = drawn(`M4 7h7m6 0h3M4 17h3m6 0h7${circle(14, 7, 3)}${circle(10, 17, 3)}`)
export const SunMoon = drawn(`${circle(12, 12, 8.5)}M12 3.5v17a8.5 8.5 0 0 0 0-17zM12 8a4 4 0 0 0 0 8`)
export const Users = drawn(
  `${circle(9, 8, 3.5)}M2.5 20v-1a5 5 0 0 1 5-5h3a5 5 0 0 1 5 5v1M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.3a5 5 0 0 1 3.5 4.7v1`,
)
export const Webhook = drawn(
  `${circle(12, 6, 3)}${circle(6, 17.5, 3)}${circle(18, 17.5, 3)}M10.6 8.6l-3.2 6.2m6-6.2 3.2 6.2M9 17.5h6`,
)
export const X = drawn('m6 6 12 12M18 6 6 18')
