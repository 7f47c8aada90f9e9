'use client'

import type { ReactNode } from 'react'
import { ShownOnce } from './shown-once'

/** A new secret with the facilitator URL that contains it. */
export type Secret = { secret: string; url: string }

type Props = {
  secret: Secret | null
  onClose: () => void
  /** Of the key, if it has one. */
  name?: string
  /** What it may be used for, if not a quota. */
  description?: string
  /** What to say about how it came. */
  children?: ReactNode
  /** A screen to open after it is saved. */
  next?: { href: string; text: string }
}

/** Shows a secret once; the service stores only its hash. */
export function SecretDialog({ secret, name, ...props }: Props) {
  return (
    <ShownOnce
      title={name ? `Your key “${name}”` : 'Your key'}
      description="Anyone who has it can use your quota."
      lines={secret && { 'Facilitator URL': secret.url, '.env line': `FACILITATOR_URL=${secret.url}`, Key: secret.secret }}
      {...props}
    />
  )
}
