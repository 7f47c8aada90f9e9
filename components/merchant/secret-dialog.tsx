'use client'

import { Button } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { Dialog } from '../ui/dialog'

/** A secret that is shown this one time, with the facilitator URL that holds it. */
export type Secret = { secret: string; url: string }

/** Shows a secret once: the service keeps its hash only. */
export function SecretDialog({ secret, onClose }: { secret: Secret | null; onClose: () => void }) {
  const line = secret ? `FACILITATOR_URL=${secret.url}` : ''
  return (
    <Dialog
      firm
      title="Your key"
      open={secret !== null}
      onClose={onClose}
      description="It is shown this one time. Keep the URL secret: whoever has it can use up your quota."
    >
      <div className="grid gap-4">
        <Line name="Facilitator URL" text={secret?.url ?? ''} />
        <Line name="As a line of .env" text={line} />
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
