'use client'

import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import { isLimited, type OwnKey } from '../../client/own-key'
import { LastUse, Time } from '../../client/time'
import { useSignedWallet } from '../../client/use-signed-wallet'
import { ActionsMenu } from '../../ui/actions-menu'
import { Badge, titled } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { later } from '../../ui/later'
import { openingRow } from '../../ui/opening-row'
import { Skeleton } from '../../ui/panel'
import type { Secret } from '../../ui/secret-dialog'
import type { Activity } from './key-activity'
import { type KeyDialog, KeyDialogs, keyActions } from './key-dialogs'
import { QuotaBar } from './quota'

// It holds the causes of all reasons.
const KeyActivity = later(() => import('./key-activity').then((loaded) => loaded.KeyActivity), <Skeleton className="h-13 w-28" />)

/** The columns of keys on wide screens: key, use, quota, actions. */
export const KEY_COLUMNS = 'xl:grid-cols-[minmax(0,10fr)_minmax(0,13fr)_minmax(0,10fr)_3.5rem]'

/** The cells of a key below 1280 px: its name and the actions share the first line. From 768 px there are two columns. */
export const KEY_GRID =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3 px-4 py-3 md:max-xl:grid-cols-[minmax(0,6fr)_minmax(0,5fr)_auto]'

/** The place of a key's actions. */
export const KEY_ACTIONS = 'max-xl:row-start-1 max-md:col-start-2 md:max-xl:col-start-3'

type FactsProps = {
  apiKey: OwnKey
  /** Undefined while it loads, null if it could not be read. */
  activity: Activity | null | undefined
  /** The most payments that any key had in a day. */
  most: number
}

type Props = FactsProps & {
  onSecret: (secret: Secret) => void
}

/** A key with its use, quota and actions. It opens the page of the key. */
export function KeyRow({ apiKey, onSecret, ...facts }: Props) {
  const [open, setOpen] = useState<KeyDialog | null>(null)
  const router = useRouter()
  const href = pageOf(apiKey)
  return (
    <li className="border-b last:border-b-0">
      <div
        {...openingRow(() => router.push(href), href)}
        className={cx(
          KEY_GRID,
          KEY_COLUMNS,
          'cursor-pointer hover:bg-code/60 max-xl:[li:first-child>&]:rounded-t-xl [li:last-child>&]:rounded-b-xl',
        )}
      >
        <KeyFacts apiKey={apiKey} {...facts} />
        <div className={cx('flex items-center gap-1', KEY_ACTIONS)}>
          <ActionsMenu title={keyName(apiKey)} actions={keyActions(setOpen)} />
          <ChevronRight aria-hidden className="size-4 text-soft" />
        </div>
      </div>
      <KeyDialogs apiKey={apiKey} open={open} onClose={() => setOpen(null)} onSecret={onSecret} />
    </li>
  )
}

const pageOf = ({ id }: Pick<OwnKey, 'id'>): string => `/dashboard/keys/${id}`

/** The cells of a key: its name, its use and its quota. */
export function KeyFacts({ apiKey, activity, most }: FactsProps) {
  return (
    <>
      <Identity apiKey={apiKey} />
      <div className="max-md:col-span-2">
        <KeyActivity apiKey={apiKey} activity={activity} most={most} />
      </div>
      <div className="max-xl:col-span-2">
        <QuotaBar {...apiKey.quota} unit="this month" />
      </div>
    </>
  )
}

function Identity({ apiKey }: { apiKey: OwnKey }) {
  const name = keyName(apiKey)
  const { plan, secrets } = apiKey
  const wallet = useSignedWallet()
  const [newest, previous] = secrets
  return (
    <div className="grid min-w-0 gap-1 max-xl:contents">
      <h2 className="flex min-w-0 items-center gap-x-2 font-semibold">
        <Link
          href={pageOf(apiKey)}
          prefetch={false}
          title={name}
          className="truncate text-ink no-underline hover:text-accent hover:underline"
        >
          {name}
        </Link>
        <span className="flex shrink-0 gap-1.5 max-sm:hidden">
          <Badge>{titled(plan)}</Badge>
          {isLimited(apiKey, wallet) ? <Badge tone="warn">Limited</Badge> : null}
        </span>
      </h2>
      <div className="grid gap-1 text-sm text-soft max-md:col-span-2 max-md:-mt-2">
        <p className="flex flex-wrap items-center gap-x-2">
          {/* A phone leaves the first line to the name. */}
          <span className="flex gap-1.5 sm:hidden">
            <Badge>{titled(plan)}</Badge>
            {isLimited(apiKey, wallet) ? <Badge tone="warn">Limited</Badge> : null}
          </span>
          {newest ? <code>{newest.prefix}…</code> : null}
          <span className="whitespace-nowrap">
            <LastUse at={newest?.lastUsedAt} />
          </span>
        </p>
        {previous?.graceUntil ? (
          <p className="text-warn">
            The previous secret works until <Time at={previous.graceUntil} />.
          </p>
        ) : null}
      </div>
    </div>
  )
}
