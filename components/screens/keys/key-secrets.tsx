import { useState } from 'react'
import { keyName } from '@/server/accounts/key-name'
import { noticeFailure } from '../../client/notice-failure'
import { useKeyActions } from '../../client/own-key'
import { LastUse, Time } from '../../client/time'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { later } from '../../ui/later'
import { notice } from '../../ui/notice'
import type { WholeKey } from './queries'

// Loaded when first opened.
const ConfirmDialog = later(() => import('../../ui/confirm-dialog').then((loaded) => loaded.ConfirmDialog))

type Secret = WholeKey['secrets'][number]

/** The secrets of a key that work: the newest, and earlier ones until their end, which may be now. */
export function KeySecrets({ apiKey }: { apiKey: WholeKey }) {
  const { endSecret } = useKeyActions()
  const [ending, setEnding] = useState<Secret | null>(null)
  const { id, secrets, revokedAt } = apiKey
  function end({ id: secret, prefix }: Secret) {
    endSecret.mutate(
      { id, secret },
      {
        onError: noticeFailure,
        onSuccess: () => notice.success(`The secret ${prefix}… no longer works.`),
        onSettled: () => setEnding(null),
      },
    )
  }
  return (
    <section aria-label="Secrets" className="p-4 text-sm">
      <h3 className="text-soft">{secrets.length > 1 ? 'Secrets' : 'Secret'}</h3>
      <ul className="mt-1 mb-2">
        {secrets.map((secret) => (
          <li key={secret.id} className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
              <code className="text-sm">{secret.prefix}…</code>
              <State secret={secret} revoked={revokedAt !== null} />
              <span className="text-soft">
                {secrets.length > 1 ? (
                  <>
                    Created <Time at={secret.createdAt} /> ·{' '}
                  </>
                ) : null}
                <LastUse at={secret.lastUsedAt} />
              </span>
            </span>
            {secret.graceUntil && revokedAt === null ? (
              <Button size="small" look="danger" onClick={() => setEnding(secret)}>
                End now
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <p className="text-soft">
        {secrets.length > 1 ? 'Each secret' : 'The secret'} was shown once. We keep only its hash.
        {revokedAt === null ? ' If you lost it, rotate the key.' : null}
      </p>
      {ending ? (
        <ConfirmDialog
          open
          title="End this secret now?"
          action="End now"
          danger
          onClose={() => setEnding(null)}
          onConfirm={() => end(ending)}
        >
          Servers of {keyName(apiKey)} that still use {ending.prefix}… cannot settle any more. The newest secret keeps working.
        </ConfirmDialog>
      ) : null}
    </section>
  )
}

function State({ secret: { graceUntil }, revoked }: { secret: Secret; revoked: boolean }) {
  if (revoked) return <Badge tone="bad">Revoked</Badge>
  if (!graceUntil) return <Badge tone="good">Current</Badge>
  return (
    <span className="text-warn">
      Works until <Time at={graceUntil} />
    </span>
  )
}
