'use client'

import { ACTIONS } from '@/components/site/frame/actions'
import { EMPTY_PAGE, EMPTY_TITLE, LEAD } from '@/components/site/frame/empty-page'
import '@/components/ui/globals.css'

/** Shown in place of the whole document when the root layout fails. Every page brings it along, so it says less than `error.tsx`. */
export default function BrokenDocument({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body>
        <div className="page">
          <main className={EMPTY_PAGE}>
            <h1 className={EMPTY_TITLE}>This page could not be loaded</h1>
            <p className={LEAD}>Your changes and payments are safe. Reload the page; if it fails again, try later.</p>
            <div className={ACTIONS}>
              {/* Its classes are written out: those of all buttons would be a third of what every page brings along. */}
              <button
                type="button"
                className="rounded-lg bg-accent px-[1.15rem] py-[0.62rem] font-semibold text-paper"
                onClick={() => location.reload()}
              >
                Reload
              </button>
              <a href="/home">Home</a>
            </div>
            {error.digest ? <code>{error.digest}</code> : null}
          </main>
        </div>
      </body>
    </html>
  )
}
