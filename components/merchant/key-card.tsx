'use client'

import type { inferRouterOutputs } from '@trpc/server'
import { useEffect, useRef, useState } from 'react'
import type { Root } from '@/server/trpc/router'
import { networkIds } from '@/server/x402/networks'
import { titleOf } from '../settlements/explorer'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { notice } from '../ui/notice'
import { Time } from '../ui/time'
import { ConfirmDialog } from './confirm-dialog'
import { Guardrails } from './guardrails'
import { useKeyActions } from './keys'
import type { Secret } from './secret-dialog'

export type OwnKey = inferRouterOutputs<Root>['keys']['list']['keys'][number]

type Props = {
  apiKey: OwnKey
  onSecret: (secret: Secret) => void
  /** Whether the address of the page names it. */
  pointed: boolean
}

/** A key with what it has left, what it allows, and what can be done with it. */
export function KeyCard({ apiKey, onSecret, pointed }: Props) {
  const { rotate, revoke } = useKeyActions()
  const [asking, ask] = useState<'rotate' | 'revoke' | null>(null)
  const [newest] = apiKey.secrets
  const done = { onError: ({ message }: { message: string }) => notice.error(message), onSettled: () => ask(null) }
  const card = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (pointed) card.current?.focus()
  }, [pointed])
  return (
    <li
      ref={card}
      tabIndex={-1}
      className={cx('grid gap-4 rounded-xl border border-solid bg-card p-4', pointed ? 'border-accent' : 'border-line')}
    >
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid gap-0.5">
          <h2 className="m-0 flex items-center gap-2 font-semibold">
            {apiKey.name || 'No name'} <Badge>{apiKey.plan}</Badge>
          </h2>
          <p className="m-0 text-[0.8125rem] text-soft">
            {newest ? <code>{newest.prefix}…</code> : null} made <Time at={newest?.createdAt ?? apiKey.createdAt} />,{' '}
            {newest?.lastUsedAt ? (
              <>
                used <Time at={newest.lastUsedAt} />
              </>
            ) : (
              'never used'
            )}
            {apiKey.secrets.length > 1 ? `, and ${apiKey.secrets.length - 1} earlier one still works` : ''}
          </p>
        </div>
        <div className="flex gap-2">
          <Button size="small" onClick={() => ask('rotate')}>
            Rotate
          </Button>
          <Button size="small" look="danger" onClick={() => ask('revoke')}>
            Revoke
          </Button>
        </div>
      </header>
      <QuotaBar {...apiKey.quota} />
      <Guardrails apiKey={apiKey} />
      <ConfirmDialog
        open={asking === 'rotate'}
        title="Rotate this key"
        action="Make a new secret"
        onClose={() => ask(null)}
        onConfirm={() => rotate.mutate({ id: apiKey.id }, { ...done, onSuccess: onSecret })}
      >
        The secret that you have now works for another day, so that you can change your servers one by one.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'revoke'}
        title="Revoke this key"
        action="Revoke it for good"
        danger
        onClose={() => ask(null)}
        onConfirm={() => revoke.mutate({ id: apiKey.id }, done)}
      >
        Servers that use it are refused from their next payment on. Its settlements stay in your history.
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
        {resetAt === null ? null : (
          <span className="text-soft">starts again {new Date(resetAt * 1_000).toISOString().slice(0, 10)}</span>
        )}
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

/** Which networks a key may use, in words. */
export function networksInWords(allowed: readonly string[]): string {
  if (allowed.length === 0 || allowed.length === networkIds.length) return 'every network'
  return new Intl.ListFormat('en').format(allowed.map(titleOf))
}
