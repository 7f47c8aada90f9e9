'use client'

import { useEffect, useRef, useState } from 'react'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { notice } from '../ui/notice'
import { Time } from '../ui/time'
import { ConfirmDialog } from './confirm-dialog'
import { Guardrails } from './guardrails'
import { type OwnKey, useKeyActions } from './own-key'
import type { Secret } from './secret-dialog'

type Props = {
  apiKey: OwnKey
  onSecret: (secret: Secret) => void
  /** Whether the URL selects it. */
  selected: boolean
}

/** A key with its quota, limits and actions. */
export function KeyCard({ apiKey, onSecret, selected }: Props) {
  const { rotate, revoke } = useKeyActions()
  const [open, setOpen] = useState<'rotate' | 'revoke' | null>(null)
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
              'never used'
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
      <QuotaBar {...apiKey.quota} />
      <Guardrails apiKey={apiKey} />
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

function QuotaBar({ left, limit, resetAt }: OwnKey['quota']) {
  const used = limit - left
  const share = limit === 0 ? 1 : used / limit
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-4 text-[0.8125rem]">
        <span>
          {used.toLocaleString('en')} of {limit.toLocaleString('en')} settlements this month
        </span>
        {resetAt === null ? null : <span className="text-soft">Resets {dayOf(resetAt)}</span>}
      </div>
      <div
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={used}
        aria-label="Settlements used"
        className="h-1.5 overflow-hidden rounded-full bg-code"
      >
        <div
          className={share > 0.9 ? 'h-full bg-bad' : 'h-full bg-accent'}
          style={{ width: `${Math.max(share * 100, used > 0 ? 1 : 0)}%` }}
        />
      </div>
    </div>
  )
}

const dayOf = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
