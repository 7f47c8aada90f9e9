import { Fragment } from 'react'

/** A part to fill in, such as `<API_KEY>` or `YOUR_KEY`, a package with its scope, or a shortened address. It stays on one line. */
const WHOLE = /(<[^<>]+>|YOUR_[A-Z]+|@[\w-]+\/[\w.-]+|\w+…\w+)/

/** A URL, a path, a command or a code that breaks after its slashes, the dots of a host and the underscores of a code, so that its words stay whole; a hash breaks in its middle. */
export function Breaking({ text }: { text: string }) {
  return partsOf(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts repeat, and their order does not change
    <Fragment key={at}>
      {at === 0 ? null : <wbr />}
      {part.split(WHOLE).map((piece, index) =>
        index % 2 === 0 ? (
          piece
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <span key={index} className="whitespace-nowrap">
            {piece}
          </span>
        ),
      )}
    </Fragment>
  ))
}

// After a slash that ends a word and no scope, an underscore between small letters, a dot of a host, or half an address or hash.
const BREAKS =
  /(?<=[^/:]\/)(?<!@[\w-]+\/)(?!\/)|(?<=[a-z\d]_)(?=[a-z\d])|(?<=:\/\/[\w.-]{1,60}\.)(?=[a-z])|(?<=\b0x(?:[\da-fA-F]{20}|[\da-f]{32}))(?=(?:[\da-fA-F]{20}|[\da-f]{32})\b)/

/** The parts between which a text may break. */
export const partsOf = (text: string): string[] => text.split(BREAKS)
