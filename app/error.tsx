'use client'

import { Brand } from '@/components/brand'

/** What stands where a page broke, or where a part of it could not be loaded: a newer version may have taken its place. */
export default function Broken() {
  return (
    <div className="page">
      <div className="bar">
        <Brand />
      </div>
      <main className="empty">
        <h1>This page broke.</h1>
        <p className="lead">
          A part of it could not be loaded or shown; perhaps a newer version took its place. Nothing that you changed or paid is
          undone.
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </main>
    </div>
  )
}
