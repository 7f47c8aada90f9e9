'use client'

import { lazy, Suspense, useState } from 'react'
import type { LayerProps } from './layer'

// A page is there before what may be opened above it.
const Layer = lazy(() => import('./layer').then(({ Layer }) => ({ default: Layer })))

/** Something to decide, in the middle of the page. */
export function Dialog(props: LayerProps) {
  return (
    <WhenAsked
      {...props}
      className="top-1/2 left-1/2 max-h-[90dvh] w-[min(32rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-2xl"
    />
  )
}

/** Details beside the page; on a phone they fill it. */
export function Drawer(props: LayerProps) {
  return <WhenAsked {...props} className="drawer inset-y-0 right-0 w-[min(34rem,100vw)] border-y-0 border-r-0" />
}

function WhenAsked(props: LayerProps & { className: string }) {
  const [asked, setAsked] = useState(props.open)
  if (props.open && !asked) setAsked(true)
  return asked ? (
    <Suspense>
      <Layer {...props} />
    </Suspense>
  ) : null
}
