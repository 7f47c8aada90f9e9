'use client'

import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { Button } from '../../ui/button'
import { Copyable } from '../../ui/copyable'
import { hostOf } from '../../ui/urls'
import { useCheck } from './use-check'

type Props = {
  receipt: string
  /** Who publishes the key. */
  issuer: string
}

/** The signature of a receipt on its slip, and its check against the published keys in this browser. */
export function SignatureCheck({ receipt, issuer }: Props) {
  const { check, press } = useCheck(receipt)
  return (
    <section aria-label="Signed receipt" className="grid grid-cols-1 gap-2 text-md">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <p role="status" className="min-w-0">
          {check.state === 'valid' ? (
            <span className="flex items-center gap-1.5 font-semibold text-accent">
              <ShieldCheck aria-hidden className="size-4" /> Signature valid
            </span>
          ) : check.state === 'invalid' ? (
            <span className="flex items-start gap-1.5 text-bad">
              <ShieldAlert aria-hidden className="mt-0.5 size-4" /> {check.why}
            </span>
          ) : (
            <span className="text-soft">Checking the signature…</span>
          )}
        </p>
        <Button size="small" aria-disabled={check.state === 'checking'} onClick={press}>
          Check again
        </Button>
      </div>
      <p className="text-sm text-soft">
        Your browser compares it with the keys of {hostOf(issuer)}.{' '}
        <Copyable text={receipt} shown="Copy the signed receipt" label="signed receipt" inWords />
      </p>
    </section>
  )
}
