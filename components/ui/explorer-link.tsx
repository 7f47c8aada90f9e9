import { ArrowUpRight } from 'lucide-react'
import { addressUrl, explorerName, transactionUrl } from '@/server/x402/networks/explorers'
import { Copyable } from './copyable'
import { shortened } from './shortened'

type Props = { network: string; label: string } & ({ transaction: string } | { address: string })

/** A copyable transaction or address with a link to its block explorer. */
export function Linked(props: Props) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Copyable text={textOf(props)} label={props.label} />
      <ToExplorer {...props} />
    </span>
  )
}

/** All of a text, shortened on a phone if it is no URL, with the icons of all such texts in one column: copy, then the block explorer. */
export function Whole(props: Props | { text: string; label: string }) {
  const text = 'text' in props ? props.text : textOf(props)
  return (
    <span className="grid grid-cols-[minmax(0,1fr)_1rem] items-start gap-1.5 pointer-coarse:gap-4">
      <Copyable text={text} shown={text} onPhone={text.includes('/') ? text : shortened(text)} label={props.label} fill />
      {'text' in props ? null : <ToExplorer {...props} />}
    </span>
  )
}

/** A link to a transaction in words; nothing on a network without a block explorer. */
export function ExplorerLink({ network, transaction }: { network: string; transaction: string }) {
  const url = transactionUrl(network, transaction)
  if (!url) return null
  return (
    <a href={url} target="_blank" rel="noreferrer">
      View on {explorerName(network)}
    </a>
  )
}

const textOf = (what: Props): string => ('address' in what ? what.address : what.transaction)

function ToExplorer({ network, label, ...what }: Props) {
  const url = 'address' in what ? addressUrl(network, what.address) : transactionUrl(network, what.transaction)
  if (!url) return null
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={`View ${label} on ${explorerName(network)}`}
      title={`View on ${explorerName(network)}`}
      className="relative grid h-[1.3em] items-center text-soft before:absolute before:-inset-x-2 before:-inset-y-1.5 hover:text-accent pointer-coarse:before:-inset-y-2.5"
    >
      <ArrowUpRight aria-hidden className="size-4" />
    </a>
  )
}
