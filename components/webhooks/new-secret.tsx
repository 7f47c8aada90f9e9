'use client'

import { ShownOnce } from '../ui/shown-once'

/** Shows the secret of a webhook this one time. */
export function NewSecret({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <ShownOnce
      title="The secret that signs"
      description="It is shown this one time. With it your server tells our messages from anybody's."
      lines={secret === null ? null : { Secret: secret, 'As a line of .env': `WEBHOOK_SECRET=${secret}` }}
      onClose={onClose}
    >
      <p className="m-0 text-[0.8125rem] text-soft">
        Any library of Standard Webhooks verifies with it;{' '}
        <a href="/docs#webhooks" target="_blank" rel="noreferrer">
          the reference
        </a>{' '}
        has a program without one.
      </p>
    </ShownOnce>
  )
}
