import { Fragment } from 'react'

/** A part to fill in, such as `<your key>` or `YOUR_KEY`, or a package with its scope. It stays on one line. */
const WHOLE = /(<[^<>]+>|YOUR_[A-Z]+|@[\w-]+\/[\w.-]+)/

/** A URL, a path, a command or a code that breaks after its slashes and the underscores of a code, so that its words stay whole. */
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

/** The parts between which a text may break: each ends after a slash that ends a word and no scope, or after an underscore between small letters. */
export const partsOf = (text: string): string[] => text.split(/(?<=[^/:]\/)(?<!@[\w-]+\/)(?!\/)|(?<=[a-z\d]_)(?=[a-z\d])/)
