'use client'

import Link from 'next/link'
import type { OwnKey } from '../../client/own-key'
import { Time } from '../../client/time'
import { Button } from '../../ui/button'
import { FacilitatorUrl } from './facilitator-url'
import { KeepHistory } from './keep-history'
import { LimitFact, LimitFacts } from './limit-facts'

type Props = { apiKey: OwnKey; onEdit: () => void; onRotate: () => void }

/** The facilitator URL of a key, its limits and whether it keeps history. The row above has the prefix of its secret. */
export function KeyDetails({ apiKey, onEdit, onRotate }: Props) {
  const { id, createdAt, secrets } = apiKey
  const [, ...previous] = secrets
  return (
    <div className="grid gap-x-8 gap-y-5 border-t pt-4 text-sm lg:grid-cols-2">
      <section aria-label="Secret" className="grid min-w-0 content-start gap-3">
        <FacilitatorUrl apiKey={apiKey} />
        <p className="text-soft">We showed the secret once and keep only its hash. If you lost it, rotate the key.</p>
        <dl className="grid gap-1.5 empty:hidden">
          {previous.map(({ id: secret, prefix, graceUntil }) => (
            <LimitFact key={secret} name="Previous secret">
              <code>{prefix}…</code>
              {graceUntil ? (
                <>
                  {' '}
                  until <Time at={graceUntil} />
                </>
              ) : null}
            </LimitFact>
          ))}
        </dl>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button size="small" onClick={onRotate}>
            Rotate key
          </Button>
          <Link href={`/dashboard/keys/${id}`}>Usage, secrets and changes</Link>
          <span className="text-soft">
            Created <Time at={createdAt} />
          </span>
        </div>
      </section>
      <div className="grid min-w-0 content-start gap-5">
        <section aria-label="Limits" className="grid gap-2.5">
          <div className="flex min-h-8 items-center justify-between gap-4">
            <h3 className="font-medium">Limits</h3>
            <Button size="small" onClick={onEdit}>
              Edit settings
            </Button>
          </div>
          <LimitFacts apiKey={apiKey} />
        </section>
        <div className="border-t pt-4">
          <KeepHistory apiKey={apiKey} />
        </div>
      </div>
    </div>
  )
}
