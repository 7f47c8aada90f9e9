'use client'

import { type FormEvent, useEffect, useState } from 'react'
import { browserWallet, signInWith } from './credential'

/** Asks who wants to see settlements: by a token that was pasted, or with the browser's wallet. */
export function SignIn({ onCredential, problem }: { onCredential: (credential: string) => void; problem: string | null }) {
  const [said, setSaid] = useState(problem)
  const [hasWallet, setHasWallet] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  // Only the browser knows, and only after the page was drawn.
  useEffect(() => setHasWallet(browserWallet() !== undefined), [])
  useEffect(() => setSaid(problem), [problem])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const credential = String(new FormData(event.currentTarget).get('credential') ?? '').trim()
    if (credential) onCredential(credential)
    else setSaid('Paste a token first.')
  }

  async function connect() {
    const wallet = browserWallet()
    if (!wallet) return
    setIsBusy(true)
    try {
      onCredential(await signInWith(wallet))
    } catch (error) {
      setSaid(error instanceof Error ? error.message : 'The wallet did not sign.')
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <section className="section sign-in">
      <header>
        <h1>Settlements</h1>
        <p className="muted">See what was settled: with your API keys, from your wallet, or, as the operator, by everybody.</p>
      </header>
      <form className="card" onSubmit={submit}>
        <label htmlFor="credential">Token</label>
        <input id="credential" name="credential" type="password" autoComplete="off" spellCheck={false} aria-describedby="which" />
        <p className="muted" id="which">
          A merchant's access token from your identity provider, a wallet's session token (<code>st_…</code>), or the admin key.
          It stays in this tab.
        </p>
        {said ? (
          <p className="problem" role="alert">
            {said}
          </p>
        ) : null}
        <div className="actions">
          <button className="button" type="submit">
            Show settlements
          </button>
          {hasWallet ? (
            <button className="second" type="button" onClick={connect} disabled={isBusy}>
              {isBusy ? 'Waiting for the wallet…' : 'Sign in with your wallet'}
            </button>
          ) : null}
        </div>
      </form>
    </section>
  )
}
