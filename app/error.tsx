'use client'

import { Brand } from '@/components/brand'

/** Shown when a page fails to render or to load, for example after a new release. */
export default function Broken() {
  return (
    <div className="page">
      <div className="bar">
        <Brand />
      </div>
      <main className="empty">
        <h1>This page failed</h1>
        <p className="lead">
          Part of it could not be loaded, maybe because of a new release. Your changes and payments are safe.
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload
        </button>
      </main>
    </div>
  )
}
