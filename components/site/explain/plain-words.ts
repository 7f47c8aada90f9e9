// What begins a JSON, an answer of a server, a header of x402 or base64; the last is base64 in lines.
const MARKS = [/^[{["]/, /^(?:< )?HTTP\//m, /^[<>]?[ \t]*(?:x-)?payment/im, /^e[yw]/, /^[\w+/=-]{40,}$/m]

/** Whether a text is words only: nothing that can be explained begins like it. */
export function isPlainWords(text: string): boolean {
  const written = text.trim()
  return /\s/.test(written) && !MARKS.some((mark) => mark.test(written))
}
