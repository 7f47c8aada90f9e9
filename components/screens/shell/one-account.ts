'use client'

import { useEffect, useRef } from 'react'
import { isLeaving, type Who } from '../../client/screen-list'

/** Loads the page again once another account is signed in, in another tab: what it shows is of the account before. */
export function useOneAccount(who: Who | null): void {
  const account = who?.account ?? null
  const shown = useRef(account)
  useEffect(() => {
    if (account === null || isLeaving()) return
    if (shown.current !== null && shown.current !== account) location.reload()
    else shown.current = account
  }, [account])
}
