'use client'

import { Printer } from 'lucide-react'
import { Button } from '../../ui/button'

/** Prints the page. */
export function PrintButton() {
  return (
    <Button size="small" onClick={() => print()}>
      <Printer aria-hidden className="size-4" /> Print
    </Button>
  )
}
