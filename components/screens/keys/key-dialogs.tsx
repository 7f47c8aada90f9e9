import { keyName } from '@/server/accounts/key-name'
import { noticeFailure } from '../../client/notice-failure'
import { type OwnKey, useKeyActions } from '../../client/own-key'
import { later } from '../../ui/later'
import type { Secret } from '../../ui/secret-dialog'

// Loaded when first opened.
const KeySettings = later(() => import('./key-settings').then((loaded) => loaded.KeySettings))
const RenameKey = later(() => import('./rename-key').then((loaded) => loaded.RenameKey))
const Plans = later(() => import('./plans').then((loaded) => loaded.Plans))
const ConfirmDialog = later(() => import('../../ui/confirm-dialog').then((loaded) => loaded.ConfirmDialog))

/** The dialogs of a key. */
export type KeyDialog = 'rename' | 'settings' | 'plans' | 'rotate' | 'revoke'

type Props = {
  apiKey: OwnKey
  open: KeyDialog | null
  onClose: () => void
  onSecret: (secret: Secret) => void
}

/** The open dialog of a key, if any. */
export function KeyDialogs({ apiKey, open, onClose, onSecret }: Props) {
  const { rotate, revoke } = useKeyActions()
  const done = { onError: noticeFailure, onSettled: onClose }
  const name = keyName(apiKey)
  switch (open) {
    case 'rename':
      return <RenameKey apiKey={apiKey} onClose={onClose} />
    case 'settings':
      return <KeySettings apiKey={apiKey} onClose={onClose} />
    case 'plans':
      return <Plans apiKey={apiKey} onClose={onClose} />
    case 'rotate':
      return (
        <ConfirmDialog
          open
          title="Rotate this key?"
          action="Rotate key"
          onClose={onClose}
          onConfirm={() => rotate.mutate({ id: apiKey.id }, { ...done, onSuccess: onSecret })}
        >
          The current secret of {name} stays valid for 24 hours, so you can update your servers one by one. You can end it
          earlier.
        </ConfirmDialog>
      )
    case 'revoke':
      return (
        <ConfirmDialog
          open
          title="Revoke this key?"
          action="Revoke key"
          danger
          onClose={onClose}
          onConfirm={() => revoke.mutate({ id: apiKey.id }, done)}
        >
          Servers that use {name} cannot settle any more. You cannot undo this. Its settlements stay in your history.
        </ConfirmDialog>
      )
    default:
      return null
  }
}

/** The actions of a key in its menu. */
export function keyActions(open: (dialog: KeyDialog) => void) {
  return [
    { name: 'Rename', run: () => open('rename') },
    { name: 'Edit settings', run: () => open('settings') },
    { name: 'Change plan', run: () => open('plans') },
    { name: 'Rotate', run: () => open('rotate') },
    { name: 'Revoke', run: () => open('revoke'), danger: true },
  ]
}
