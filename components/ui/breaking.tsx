import { Fragment } from 'react'

/** A part to fill in, such as `<your key>` or `YOUR_KEY`. It stays on one line. */
const PLACEHOLDER = /(<[^<>]+>|YOUR_[A-Z]+)/

/** A URL, a path, a command or a code that breaks after its slashes and the underscores of a code, so that its words stay whole. */
export function Breaking({ text }: { text: string }) {
  return partsOf(text).map((part, at) => {
    const [before, placeholder, after] = part.split(PLACEHOLDER)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts repeat, and their order does not change
      <Fragment key={at}>
        {at === 0 ? null : <wbr />}
        {before}
        {placeholder ? <span className="whitespace-nowrap">{placeholder}</span> : null}
        {after}
      </Fragment>
    )
  })
}

/** The parts between which a text may break: each ends after a slash that ends a word, or after an underscore between small letters. */
export const partsOf = (text: string): string[] => text.split(/(?<=[^/:]\/)(?!\/)|(?<=[a-z\d]_)(?=[a-z\d])/)
