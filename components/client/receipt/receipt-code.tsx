'use client'

import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'

// Loaded after the slip, in the room that it takes.
const QrCode = later(
  () => import('../../ui/qr-code').then((loaded) => loaded.QrCode),
  <Skeleton className="aspect-square w-full" />,
)

/** A QR code of a receipt's page, or of its transaction, with what it opens; not on a phone, which cannot scan itself. */
export function ReceiptCode({ url, says }: { url: string; says: string }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-4 max-md:hidden print:grid print:break-inside-avoid">
      <QrCode text={url} label={`QR code: ${says}`} />
      <p className="min-w-0 text-sm wrap-anywhere text-soft">
        {says}
        <span className="hidden pt-1 print:block">{url}</span>
      </p>
    </div>
  )
}
