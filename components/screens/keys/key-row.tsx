'use client'

import { ChevronDown } from 'lucide-react'
import Link from 'next/link'
import { useId, useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import { isLimited, type OwnKey } from '../../client/own-key'
import { LastUse, Time } from '../../client/time'
import { useSignedWallet } from '../../client/use-signed-wallet'
import { ActionsMenu } from '../../ui/actions-menu'
import { Badge, titled } from '../../ui/badge'
import { Button } from '../../ui/button'
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

// Loaded when first opened.
const KeyDetails = later(() => import('./key-details').then((loaded) => loaded.KeyDetails), <Skeleton className="h-96 lg:h-52" />)

/** The columns of keys on wide screens: key, use, quota, actions. */
export const KEY_COLUMNS = 'xl:grid-cols-[minmax(0,10fr)_minmax(0,13fr)_minmax(0,10fr)_5rem]'

/** The cells of a key below 1280 px: its name and the actions share the first line. From 768 px there are two columns. */
export const KEY_GRID =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3 px-4 py-3 md:max-xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]'

/** The place of a key's actions. */
export const KEY_ACTIONS = 'max-xl:row-start-1 max-md:col-start-2 md:max-xl:col-start-3'

type FactsProps = {
  apiKey: OwnKey
  /** Null while it loads, or if it could not be read. */
  activity: Activity | null
}

type Props = FactsProps & {
  onSecret: (secret: Secret) => void
}

/** A key with its use, quota and actions. Its URL and limits open below. */
export function KeyRow({ apiKey, activity, onSecret }: Props) {
  const [open, setOpen] = useState<KeyDialog | null>(null)
  const [unfolded, setUnfolded] = useState(false)
  const details = useId()
  const name = keyName(apiKey)
  const toggle = () => setUnfolded(!unfolded)
  return (
    <li className="border-b last:border-b-0">
      <div
        {...openingRow(toggle)}
        className={cx(
          KEY_GRID,
          KEY_COLUMNS,
          'cursor-pointer hover:bg-code/60 max-xl:[li:first-child>&]:rounded-t-xl',
          !unfolded && '[li:last-child>&]:rounded-b-xl',
        )}
      >
        <KeyFacts apiKey={apiKey} activity={activity} />
        <div className={cx('flex items-center justify-end gap-1', KEY_ACTIONS)}>
          <Button
            look="quiet"
            size="icon"
            aria-label={`Details of ${name}`}
            title="Details"
            aria-expanded={unfolded}
            aria-controls={details}
            onClick={toggle}
            className="max-sm:size-10"
          >
            <ChevronDown aria-hidden className={cx('size-4 transition-transform', unfolded && 'rotate-180')} />
          </Button>
          <ActionsMenu title={name} actions={keyActions(setOpen)} />
        </div>
      </div>
      <div id={details} hidden={!unfolded} className="px-4 pt-1 pb-4">
        {unfolded ? <KeyDetails apiKey={apiKey} onEdit={() => setOpen('settings')} onRotate={() => setOpen('rotate')} /> : null}
      </div>
      <KeyDialogs apiKey={apiKey} open={open} onClose={() => setOpen(null)} onSecret={onSecret} />
    </li>
  )
}

/** The cells of a key: its name, its use and its quota. */
export function KeyFacts({ apiKey, activity }: FactsProps) {
  return (
    <>
      <Identity apiKey={apiKey} />
      <div className="max-md:col-span-2">
        <KeyActivity apiKey={apiKey} activity={activity} />
      </div>
      <div className="max-xl:col-span-2">
        <QuotaBar {...apiKey.quota} plan={apiKey.plan} unit="this month" />
      </div>
    </>
  )
}

function Identity({ apiKey }: { apiKey: OwnKey }) {
  const name = keyName(apiKey)
  const { id, plan, secrets } = apiKey
  const wallet = useSignedWallet()
  const [newest, previous] = secrets
  return (
    <div className="grid min-w-0 gap-1 max-xl:contents">
      <h2 className="flex min-w-0 items-center gap-x-2 font-semibold">
        <Link
          href={`/dashboard/keys/${id}`}
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
