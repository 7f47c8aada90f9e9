import type { QueryClient } from '@tanstack/react-query'
import type { MakeCall } from './calls'
import { codeOf } from './errors'

/** The queries of the session. */
const SESSION = { queryKey: [['session']] } as const

/** What the session of a page tells about its account, as `session.get` answers. */
type Session = { who: { account: string } | null }

/**
 * Holds the calls of a page whose session ended, and makes them again once the same account is signed in: what was typed, and what is shown,
 * stay as they are. A call that is refused although an account is signed in fails, and so does one of a page that never had an account. Each
 * is made for the account that the page shows.
 */
export function heldWhileSignedOut(queries: QueryClient, make: MakeCall): MakeCall {
  const account = pageAccountOf(queries)
  return async (call) => {
    const makeNow = () => make({ ...call, account: account.known() })
    try {
      return await makeNow()
    } catch (error) {
      if (codeOf(error) === 'UNAUTHORIZED' && (await account.isSignedInAgain())) return makeNow()
      throw error
    }
  }
}

type PageAccount = {
  /** The account of the page; null while none is known. */
  known(): string | null
  /** Resolves once that account is signed in again; with false if the session did not end, or never was. */
  isSignedInAgain(): Promise<boolean>
}

function pageAccountOf(queries: QueryClient): PageAccount {
  const accountNow = () => {
    const [, session] = queries.getQueriesData<Session>(SESSION)[0] ?? []
    return session?.who?.account ?? null
  }
  let known: string | null = null
  let reading: Promise<void> | null = null
  const waiting = new Set<(again: boolean) => void>()
  queries.getQueryCache().subscribe(() => {
    const account = accountNow()
    known ??= account
    if (account === null || waiting.size === 0) return
    // Another account: the page loads again, and nothing of before is done in its name.
    for (const resolve of waiting) resolve(account === known)
    waiting.clear()
  })
  return {
    known: () => known,
    async isSignedInAgain() {
      known ??= accountNow()
      // One read for all: a second one would cancel it.
      reading ??= queries.invalidateQueries(SESSION).finally(() => {
        reading = null
      })
      await reading
      if (known === null || accountNow() !== null) return false
      return new Promise((resolve) => waiting.add(resolve))
    },
  }
}
