'use client'

import { ShieldAlert, ShieldCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/button'
import { Copyable } from '../../ui/copyable'

type Check = { state: 'idle' | 'checking' | 'valid' } | { state: 'invalid'; why: string }

type Props = {
  receipt: string
  /** Who publishes the key. */
  issuer: string
  /** Checks at once, without a press. */
  atOnce?: boolean
}

/** The signature of a receipt, and its check against the published keys in this browser. On paper: the signed text and how to check it. */
export function SignatureCheck({ receipt, issuer, atOnce = false }: Props) {
  const [check, setCheck] = useState<Check>({ state: atOnce ? 'checking' : 'idle' })
  useEffect(() => {
    if (atOnce) void checked(receipt).then(setCheck)
  }, [atOnce, receipt])
  function press() {
    setCheck({ state: 'checking' })
    void checked(receipt).then(setCheck)
  }
  return (
    <section aria-label="Signed receipt" className="grid grid-cols-1 gap-2 text-md">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2 print:hidden">
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
            <span className="text-soft">{check.state === 'checking' ? 'Checking the signature…' : 'Signed by Quittance'}</span>
          )}
        </p>
        {atOnce && check.state !== 'invalid' ? null : (
          <Button size="small" aria-disabled={check.state === 'checking'} onClick={press}>
            Verify signature
          </Button>
        )}
      </div>
      <p className="text-sm text-soft print:hidden">
        Your browser compares it with the keys of {hostOf(issuer)}.{' '}
        <Copyable text={receipt} shown="Copy the signed receipt" label="signed receipt" inWords />
      </p>
      <div className="hidden gap-1 print:grid">
        <p className="text-sm">
          Signed by {issuer}. To check: verify this text (JWS, ES256) with the keys at {issuer}/.well-known/jwks.json
        </p>
        <p className="font-mono text-[6.5pt] leading-tight break-all">{receipt}</p>
      </div>
    </section>
  )
}

async function checked(receipt: string): Promise<Check> {
  try {
    // It brings a schema library.
    const { verifyReceipt } = await import('./verify-receipt')
    await verifyReceipt(receipt)
    return { state: 'valid' }
  } catch (cause) {
    return { state: 'invalid', why: cause instanceof Error ? cause.message : String(cause) }
  }
}

const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer)
