'use client'

import { ShownOnce } from '../ui/shown-once'

/** A new secret with the facilitator URL that contains it. */
export type Secret = { secret: string; url: string }

/** Shows a secret once; the service stores only its hash. */
export function SecretDialog({ secret, onClose }: { secret: Secret | null; onClose: () => void }) {
  return (
    <ShownOnce
      title="Your key"
      description="You won't see this again. Keep the URL secret: anyone who has it can use your quota."
      lines={secret && { 'Facilitator URL': secret.url, '.env line': `FACILITATOR_URL=${secret.url}` }}
      onClose={onClose}
    />
  )
}
