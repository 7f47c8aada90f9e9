'use client'

import { Button } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { Dialog } from '../ui/dialog'

/** Shows the secret of a webhook this one time. */
export function NewSecret({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  return (
    <Dialog
      firm
      title="The secret that signs"
      open={secret !== null}
      onClose={onClose}
      description="It is shown this one time. With it your server tells our messages from anybody's."
    >
      <div className="grid gap-4">
        <Line name="Secret" text={secret ?? ''} />
        <Line name="As a line of .env" text={`WEBHOOK_SECRET=${secret ?? ''}`} />
        <p className="m-0 text-[0.8125rem] text-soft">
          Any library of Standard Webhooks verifies with it;{' '}
          <a href="/docs#webhooks" target="_blank" rel="noreferrer">
            the reference
          </a>{' '}
          has a program without one.
        </p>
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Line({ name, text }: { name: string; text: string }) {
  return (
    <div className="grid gap-1">
      <span className="text-[0.8125rem] text-soft">{name}</span>
      <div className="min-w-0 rounded-lg bg-code px-3 py-2.5">
        <Copyable text={text} shown={text} label={name} />
      </div>
    </div>
  )
}
