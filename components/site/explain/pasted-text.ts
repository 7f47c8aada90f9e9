// What begins a JSON, an answer of a server, a header of x402 or base64; the last is base64 in lines.
const MARKS = [/^[{["]/, /^(?:< )?HTTP\//m, /^[<>]?[ \t]*(?:x-)?payment/im, /^e[yw]/, /^[\w+/=-]{40,}$/m]

/** Whether a text is words only: nothing that can be explained begins like it. */
export function isPlainWords(text: string): boolean {
  const written = text.trim()
  return /\s/.test(written) && !MARKS.some((mark) => mark.test(written))
}

/** Whether a text is a payment of version 1 without its requirements, as JSON, base64 or a header. */
export function needsRequirements(text: string): boolean {
  const json = text.trim().startsWith('{') ? text : decoded(text.trim().split(/\s+/).at(-1) ?? '')
  return /"x402Version"\s*:\s*1\b/.test(json) && json.includes('"payload"') && !json.includes('"paymentRequirements"')
}

function decoded(base64: string): string {
  try {
    return atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
