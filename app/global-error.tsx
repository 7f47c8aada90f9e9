'use client'

import '@/components/ui/globals.css'

/** Shown in place of the whole document when the root layout fails. Every page brings it along, so it says less than `error.tsx`. */
export default function BrokenDocument({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <main className="page empty">
          <h1>This page could not be loaded</h1>
          <p className="lead">Your changes and payments are safe. Reload the page; if it fails again, try later.</p>
          <div className="actions">
            <button type="button" className="button" onClick={() => location.reload()}>
              Reload
            </button>
            <a href="/home">Home</a>
          </div>
          {error.digest ? <code>{error.digest}</code> : null}
        </main>
      </body>
    </html>
  )
}
