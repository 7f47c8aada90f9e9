import { useSyncExternalStore } from 'react'

/** What only a browser knows; `before` in HTML, which is the same for all. */
export const useInBrowser = <T>(read: () => T, before: T): T => useSyncExternalStore(never, read, () => before)

const never = () => () => {}
