import type { ReactNode } from 'react'
import { EMPTY_TITLE } from '../frame/empty-page'
import { WithEmptySlip } from '../frame/empty-slip'
import { MissingPath } from './missing-page'

/** The head of a page that does not exist: it names the path. What helps from there follows. */
export function MissingHead({ children }: { children?: ReactNode }) {
  return (
    <WithEmptySlip word="Page" stamp="404">
      <h1 className={EMPTY_TITLE}>Page not found</h1>
      <MissingPath />
      {children}
    </WithEmptySlip>
  )
}
