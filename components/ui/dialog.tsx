'use client'

import { useState } from 'react'
import { cx } from './class-names'
import { later } from './later'
import type { LayerLook, LayerProps } from './layer'

// Loaded when first opened, to keep first load small, and in browsers only: what has the focus is known there.
const Layer = later(() => import('./layer').then((loaded) => loaded.Layer))

/** A dialog in the middle of the page; `wide` for tables, `focusesItself` for one that is only read. */
export function Dialog({ wide = false, ...props }: LayerProps & Pick<LayerLook, 'focusesItself'> & { wide?: boolean }) {
  return (
    <OnceOpen
      {...props}
      className={cx(
        'top-1/2 left-1/2 max-h-[90dvh] -translate-x-1/2 -translate-y-1/2 rounded-2xl',
        wide ? 'w-[min(46rem,calc(100vw-2rem))]' : 'w-[min(32rem,calc(100vw-2rem))]',
      )}
    />
  )
}

/** Details at the side of the page; full width on a phone. */
export function Drawer(props: LayerProps) {
  return (
    <OnceOpen
      {...props}
      focusesItself
      className="drawer inset-y-0 right-0 w-[min(34rem,100vw)] rounded-none border-y-0 border-r-0"
    />
  )
}

function OnceOpen(props: LayerProps & LayerLook) {
  const [opened, setOpened] = useState(props.open)
  if (props.open && !opened) setOpened(true)
  return opened ? <Layer {...props} /> : null
}
