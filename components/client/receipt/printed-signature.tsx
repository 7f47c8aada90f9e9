/** On paper: the signed text of a receipt, and how to check it. */
export function PrintedSignature({ receipt, issuer }: { receipt: string; issuer: string }) {
  return (
    <div className="hidden gap-1 print:grid">
      <p className="text-sm">
        Signed by {issuer}. To check: verify this text (JWS, ES256) with the keys at {issuer}/.well-known/jwks.json
      </p>
      <p className="font-mono text-[6.5pt] leading-tight break-all">{receipt}</p>
    </div>
  )
}
