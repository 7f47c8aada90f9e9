'use client'

import Broken from './error'
import './globals.css'

/** Shown in place of the whole document when the root layout fails. */
export default function BrokenDocument({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <Broken error={error} />
      </body>
    </html>
  )
}
