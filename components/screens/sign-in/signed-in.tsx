'use client'

import { useEffect } from 'react'
import { tellSignedIn } from '../../client/signed-in-again'

/** The end of a sign-in in a window of its own: it tells the page that opened it, and closes. */
export function SignedIn() {
  useEffect(() => {
    tellSignedIn()
    close()
  }, [])
  return (
    <main className="app grid min-h-dvh place-content-center justify-items-center gap-2 p-5 text-center">
      <h1 className="text-xl font-semibold tracking-tight">You are signed in</h1>
      <p className="text-soft">Close this window to go on where you were.</p>
    </main>
  )
}
