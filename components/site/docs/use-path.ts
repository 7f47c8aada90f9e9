import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** The path of the page; null in HTML, because only the browser knows it. */
export const usePath = (): string | null =>
  useSyncExternalStore(
    never,
    () => location.pathname,
    () => null,
  )
