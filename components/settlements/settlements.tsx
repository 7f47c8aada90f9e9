'use client'

import { useRouter, useSearchParams } from 'next/navigation'
import { useCallback, useEffect, useState } from 'react'
import { sourceOf } from './credential'
import type { Page } from './entry'
import { SignIn } from './sign-in'
import { SettlementTable } from './table'

const KEPT = 'quittance.credential'
const LIMIT = 25

type Shown = { state: 'loading' } | { state: 'shown'; page: Page } | { state: 'failed'; why: string }

/** The settlements that a credential opens, a page at a time; the page is in the address. */
export function Settlements() {
  const [credential, setCredential] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => setCredential(sessionStorage.getItem(KEPT)), [])

  function enter(entered: string) {
    sessionStorage.setItem(KEPT, entered)
    setProblem(null)
    setCredential(entered)
  }
  const leave = useCallback((why: string | null) => {
    sessionStorage.removeItem(KEPT)
    setProblem(why)
    setCredential(null)
  }, [])

  if (credential === null) return <SignIn onCredential={enter} problem={problem} />
  return <Pages credential={credential} leave={leave} />
}

function Pages({ credential, leave }: { credential: string; leave: (why: string | null) => void }) {
  const query = useSearchParams()
  const router = useRouter()
  const [shown, setShown] = useState<Shown>({ state: 'loading' })
  const { path, title, about } = sourceOf(credential)
  const asked = query.toString()

  useEffect(() => {
    const stop = new AbortController()
    setShown({ state: 'loading' })
    load(path, asked, credential, stop.signal).then(
      (loaded) =>
        loaded === 'refused' ? leave('The service did not accept this token.') : setShown({ state: 'shown', page: loaded }),
      (error: unknown) => {
        if (!stop.signal.aborted) setShown({ state: 'failed', why: error instanceof Error ? error.message : 'unknown' })
      },
    )
    return () => stop.abort()
  }, [path, asked, credential, leave])

  const cursor = shown.state === 'shown' ? shown.page.cursor : ''
  const isFirst = !query.has('cursor')
  return (
    <section className="section">
      <header className="list-head">
        <div>
          <h1>{title}</h1>
          <p className="muted">{about}</p>
        </div>
        <button className="second" type="button" onClick={() => leave(null)}>
          Leave
        </button>
      </header>
      {shown.state === 'failed' ? (
        <p className="problem" role="alert">
          {shown.why}
        </p>
      ) : (
        <SettlementTable entries={shown.state === 'shown' ? shown.page.settlements : null} />
      )}
      <nav className="pages" aria-label="Pages of settlements">
        <button className="second" type="button" disabled={isFirst} onClick={() => router.push('/dashboard')}>
          Newest
        </button>
        <button
          className="second"
          type="button"
          disabled={shown.state !== 'shown' || !shown.page.has_more}
          onClick={() => router.push(`/dashboard?cursor=${encodeURIComponent(cursor)}`)}
        >
          Older
        </button>
      </nav>
    </section>
  )
}

async function load(path: string, asked: string, credential: string, signal: AbortSignal): Promise<Page | 'refused'> {
  const query = new URLSearchParams(asked)
  query.set('limit', String(LIMIT))
  const response = await fetch(`${path}?${query}`, { headers: { authorization: `Bearer ${credential}` }, signal })
  if (response.status === 401) return 'refused'
  const answer: Page & { error?: string } = await response.json()
  if (!response.ok) throw new Error(answer.error ?? `The service answered ${response.status}.`)
  return answer
}
