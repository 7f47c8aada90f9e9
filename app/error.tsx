'use client'

import { ACTIONS } from '@/components/site/frame/actions'
import { EMPTY_PAGE, EMPTY_TITLE, LEAD } from '@/components/site/frame/empty-page'
import { BAR_BRAND } from '@/components/ui/bar'
import { Brand } from '@/components/ui/brand'
import { buttonClass } from '@/components/ui/button'

type Props = { error: Error & { digest?: string } }

/** Shown when a page fails to render or to load, for example after a new release. Every page brings it along, so it has no more than it needs. */
export default function Broken({ error }: Props) {
  return (
    <>
      <div className="bar">
        <Brand className={BAR_BRAND} />
      </div>
      <div className="page">
        <main className={EMPTY_PAGE} id="text">
          <h1 className={EMPTY_TITLE}>This page could not be loaded</h1>
          <p className={LEAD}>
            Part of it failed, perhaps because a new version was released. Your changes and payments are safe. Reload the page; if
            it fails again, try later.
          </p>
          <div className={ACTIONS}>
            <button type="button" className={buttonClass({ look: 'primary', size: 'large' })} onClick={() => location.reload()}>
              Reload
            </button>
            <button type="button" className={buttonClass({ size: 'large' })} onClick={() => history.back()}>
              Go back
            </button>
            <a href="/home">Home</a>
            <a href="/docs">Documentation</a>
            <a href="/status">Status</a>
          </div>
          {error.digest ? (
            <p className="text-soft">
              For a report to the operator: <code>{error.digest}</code>
            </p>
          ) : null}
        </main>
      </div>
    </>
  )
}
