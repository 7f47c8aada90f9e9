'use client'

import { Check, Copy } from 'lucide-react'
import { Button, buttonClass } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Skeleton } from '../../ui/panel'
import { QrCode } from '../../ui/qr-code'
import { useCopy } from '../../ui/use-copy'
import { isPhone, pairingLinks } from './wallet-links'

/** Connects a wallet on another device: a QR code, or links to wallets on this phone. `uri` is null until the relay answers. */
export function PairingDialog({ uri, onClose }: { uri: string | null; onClose: () => void }) {
  return (
    <Dialog
      title="Connect a wallet"
      open
      onClose={onClose}
      description={
        isPhone(navigator) ? 'Open your wallet and accept the connection.' : 'Scan this code with the wallet on your phone.'
      }
    >
      <PairingWays uri={uri} phone={isPhone(navigator)} />
    </Dialog>
  )
}

/** The ways to pass the URI to a wallet. A phone gets its links first. */
export function PairingWays({ uri, phone }: { uri: string | null; phone: boolean }) {
  if (uri === null) {
    return (
      <div role="status">
        <Skeleton className="mx-auto aspect-square w-full max-w-72" />
        <span className="sr-only">Connecting to WalletConnect…</span>
      </div>
    )
  }
  return (
    <div className="grid gap-4">
      {phone ? (
        <ul className="grid gap-2">
          {pairingLinks(uri).map(({ name, href }) => (
            <li key={name}>
              <a href={href} rel="noreferrer" className={`${buttonClass()} w-full`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="mx-auto w-full max-w-72">
        <QrCode text={uri} label="QR code of the connection" />
      </div>
      <CopyUri uri={uri} />
    </div>
  )
}

const LABELS = { idle: 'Copy link', copied: 'Copied', failed: 'Your browser did not copy it' } as const

function CopyUri({ uri }: { uri: string }) {
  const { state, copy } = useCopy(uri)
  const Icon = state === 'copied' ? Check : Copy
  return (
    <Button onClick={copy}>
      <Icon aria-hidden className="size-4" />
      <span aria-live="polite">{LABELS[state]}</span>
    </Button>
  )
}
