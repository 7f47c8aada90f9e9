'use client'

import { CopyAction } from '../../ui/copy-action'

/** Copies the address of a receipt's page. */
export function ReceiptLink({ url }: { url: string }) {
  return (
    <CopyAction size="small" title={url} text={url} failed="No clipboard here">
      Copy public link
    </CopyAction>
  )
}
