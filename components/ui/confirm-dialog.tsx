'use client'

import type { ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'

type Props = {
  open: boolean
  title: string
  action: string
  danger?: boolean
  children: ReactNode
  onClose: () => void
  onConfirm: () => void
}

/** Asks for confirmation. */
export function ConfirmDialog({ open, title, action, danger = false, children, onClose, onConfirm }: Props) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <p>{children}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look={danger ? 'danger' : 'primary'} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
