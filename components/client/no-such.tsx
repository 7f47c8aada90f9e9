import Link from 'next/link'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button'
import { Empty, Panel } from '../ui/panel'
import { codeOf } from './errors'

/** Whether the account has nothing of the name that was asked for. An id that is no UUID is a bad request. */
export const isNoSuch = (error: unknown): boolean => ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(error) ?? '')

type Props = { title: string; level?: 1 | 3; href: string; action: string; children: ReactNode }

/** Stands where a URL names something that the account does not have, with a link to the list. */
export function NoSuch({ title, level = 3, href, action, children }: Props) {
  return (
    <Panel>
      <Empty
        title={title}
        level={level}
        action={
          <Link href={href} className={buttonClass({ look: 'primary' })}>
            {action}
          </Link>
        }
      >
        {children}
      </Empty>
    </Panel>
  )
}
