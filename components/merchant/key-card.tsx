'use client'

import dynamic from 'next/dynamic'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { notice } from '../ui/notice'
import { Skeleton } from '../ui/panel'
import { Time } from '../ui/time'
import { ConfirmDialog } from './confirm-dialog'
import { Guardrails } from './guardrails'
import type { Activity } from './key-activity'
import { type OwnKey, useKeyActions } from './own-key'
import { Plans } from './plans'
import { QuotaBar } from './quota'
import type { Secret } from './secret-dialog'

// It holds the causes of all reasons.
const KeyActivity = dynamic(() => import('./key-activity').then((loaded) => loaded.KeyActivity), {
  ssr: false,
  loading: () => <Skeleton className="h-7 w-28" />,
})

type Props = {
  apiKey: OwnKey
  /** Null while it loads, or if it could not be read. */
  activity: Activity | null
  onSecret: (secret: Secret) => void
  /** Whether the URL selects it. */
  selected: boolean
}

/** A key with its quota, limits and actions. */
export function KeyCard({ apiKey, activity, onSecret, selected }: Props) {
  const { rotate, revoke } = useKeyActions()
  const [open, setOpen] = useState<'rotate' | 'revoke' | 'plans' | null>(null)
  const [newest] = apiKey.secrets
  const done = { onError: ({ message }: { message: string }) => notice.error(message), onSettled: () => setOpen(null) }
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (selected) card.current?.focus()
  }, [selected])
  return (
    <li
      ref={card}
      tabIndex={-1}
      className={cx('grid gap-4 rounded-xl border border-solid bg-card p-4', selected ? 'border-accent' : 'border-line')}
    >
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid gap-0.5">
          <h2 className="m-0 flex items-center gap-2 font-semibold">
            {apiKey.name || 'Unnamed key'} <Badge>{apiKey.plan}</Badge>
          </h2>
          <p className="m-0 text-[0.8125rem] text-soft">
            {newest ? <code>{newest.prefix}…</code> : null} created <Time at={newest?.createdAt ?? apiKey.createdAt} />,{' '}
            {newest?.lastUsedAt ? (
              <>
                last used <Time at={newest.lastUsedAt} />
              </>
            ) : (
              'not used yet'
            )}
            {apiKey.secrets.length > 1 ? ', previous secret still valid' : ''}
          </p>
        </div>
        <div className="flex gap-2">
          <Button size="small" onClick={() => setOpen('rotate')}>
            Rotate
          </Button>
          <Button size="small" look="danger" onClick={() => setOpen('revoke')}>
            Revoke
          </Button>
        </div>
      </header>
      <QuotaBar {...apiKey.quota} plan={apiKey.plan} onPlans={() => setOpen('plans')} />
      <KeyActivity apiKey={apiKey} activity={activity} />
      <Guardrails apiKey={apiKey} />
      <Plans open={open === 'plans'} current={apiKey.plan} onClose={() => setOpen(null)} />
      <ConfirmDialog
        open={open === 'rotate'}
        title="Rotate this key?"
        action="Rotate key"
        onClose={() => setOpen(null)}
        onConfirm={() => rotate.mutate({ id: apiKey.id }, { ...done, onSuccess: onSecret })}
      >
        The current secret stays valid for 24 hours, so you can update your servers one by one.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'revoke'}
        title="Revoke this key?"
        action="Revoke key"
        danger
        onClose={() => setOpen(null)}
        onConfirm={() => revoke.mutate({ id: apiKey.id }, done)}
      >
        Servers that use it cannot settle any more. You cannot undo this. Its settlements stay in your history.
      </ConfirmDialog>
    </li>
  )
}
