import { ArrowUpRight } from 'lucide-react'
import { addressUrl, explorerName, transactionUrl } from '@/server/x402/explorers'
import { Copyable } from '../ui/copyable'

type Props = { network: string; label: string /** Shows all of it. */; whole?: boolean } & (
  | { transaction: string }
  | { address: string }
)

/** A copyable transaction or address with a link to its block explorer. */
export function Linked({ network, label, whole = false, ...what }: Props) {
  const [text, url] =
    'address' in what
      ? [what.address, addressUrl(network, what.address)]
      : [what.transaction, transactionUrl(network, what.transaction)]
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      <Copyable text={text} label={label} {...(whole ? { shown: text } : {})} />
      {url ? (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={`View ${label} on ${explorerName(network)}`}
          title={`View on ${explorerName(network)}`}
          className="grid text-soft hover:text-accent"
        >
          <ArrowUpRight aria-hidden className="size-4" />
        </a>
      ) : null}
    </span>
  )
}
