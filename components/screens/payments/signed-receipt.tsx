'use client'

import { useMutation } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { Button } from '../../ui/button'
import { Copyable } from '../../ui/copyable'

// It brings a schema library.
const verified = async (receipt: string) => (await import('./verify-receipt')).verifyReceipt(receipt)

/** The signed receipt of a payment, and its verification in the browser. */
export function SignedReceipt({ receipt }: { receipt: string }) {
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => verified(receipt) })
  return (
    <section aria-label="Signed receipt" className="grid gap-2 print:hidden">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-base font-semibold">Signed receipt</h2>
        <Button size="small" disabled={isPending} onClick={() => mutate()}>
          Verify
        </Button>
      </div>
      <Copyable text={receipt} shown={`${receipt.slice(0, 24)}…${receipt.slice(-12)}`} label="signed receipt" />
      <p role="status" className="min-h-5 text-sm text-soft">
        {data ? (
          <span className="text-good">
            <Check aria-hidden className="inline size-4 align-[-0.2em]" /> Signature valid. Key {data.kid.slice(0, 8)}…, state{' '}
            {String(data.claims.state)}.
          </span>
        ) : null}
        {error ? <span className="text-bad">{error.message}</span> : null}
        {data || error ? null : 'Anyone can verify it with the keys at /.well-known/jwks.json.'}
      </p>
    </section>
  )
}
