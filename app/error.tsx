'use client'

import { Brand } from '@/components/ui/brand'
import { ThemeSwitch } from '@/components/ui/theme'

type Props = { error: Error & { digest?: string } }

/** Shown when a page fails to render or to load, for example after a new release. Every page brings it along, so it has no more than it needs. */
export default function Broken({ error }: Props) {
  return (
    <>
      <div className="bar">
        <Brand />
        <ThemeSwitch className="icon-button" />
      </div>
      <div className="page">
        <main className="empty" id="text">
          <h1>This page could not be loaded</h1>
          <p className="lead">
            Part of it failed, maybe because a new version was released meanwhile. Your changes and payments are safe. Reload the
            page; if it fails again, try later.
          </p>
          <div className="actions">
            <button type="button" className="button" onClick={() => location.reload()}>
              Reload
            </button>
            <a href="/home">Home</a>
            <a href="/docs">Documentation</a>
            <a href="/health?ready=1">Service health</a>
          </div>
          {error.digest ? (
            <p className="muted">
              For a report to the operator: <code>{error.digest}</code>
            </p>
          ) : null}
        </main>
      </div>
    </>
  )
}
