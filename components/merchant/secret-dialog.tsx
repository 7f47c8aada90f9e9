'use client'

import { ShownOnce } from '../ui/shown-once'

/** A secret that is shown this one time, with the facilitator URL that holds it. */
export type Secret = { secret: string; url: string }

/** Shows a secret once: the service keeps its hash only. */
export function SecretDialog({ secret, onClose }: { secret: Secret | null; onClose: () => void }) {
  return (
    <ShownOnce
      title="Your key"
      description="It is shown this one time. Keep the URL secret: whoever has it can use up your quota."
      lines={secret && { 'Facilitator URL': secret.url, 'As a line of .env': `FACILITATOR_URL=${secret.url}` }}
      onClose={onClose}
    />
  )
}
