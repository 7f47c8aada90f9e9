import { useEffect, useState } from 'react'

/** What a check of a signature found so far. */
type SignatureState = { state: 'checking' | 'valid' } | { state: 'invalid'; why: string }

/** The check of a receipt's signature in this browser: at once, and again on a press. */
export function useCheck(receipt: string) {
  const [check, setCheck] = useState<SignatureState>({ state: 'checking' })
  useEffect(() => {
    void checked(receipt).then(setCheck)
  }, [receipt])
  function press() {
    setCheck({ state: 'checking' })
    void checked(receipt).then(setCheck)
  }
  return { check, press }
}

async function checked(receipt: string): Promise<SignatureState> {
  try {
    // It brings a schema library.
    const { verifyReceipt } = await import('./verify-receipt')
    await verifyReceipt(receipt)
    return { state: 'valid' }
  } catch (cause) {
    return { state: 'invalid', why: cause instanceof Error ? cause.message : String(cause) }
  }
}
