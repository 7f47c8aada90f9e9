import { isServiceError } from '../base/errors'
import { malformed, parseJson } from '../x402/json'

/** What to do about a text that lost its end. */
export const COPY_ALL = 'Copy the whole header and paste it again: terminals and logs cut long lines.'

/** The refusal of a text whose end is missing, naming its length; null for a text that is whole or that breaks elsewhere. */
export function cutOffRefusal(text: string, what: string) {
  const json = cutJson(text.trim())
  return json === null
    ? null
    : malformed(`${what} is cut off after ${text.trim().length} characters`, Object.assign(new Error('cut off'), { [CUT]: json }))
}

/** Whether an error is such a refusal. */
export const saysCutOff = (error: unknown): boolean => cutIn(error) !== null

// The cause of such a refusal carries the JSON that was read, up to the cut.
const CUT = Symbol('cut off')

function cutIn(error: unknown): string | null {
  const json: unknown = isServiceError(error) ? Object(error.cause)[CUT] : null
  return typeof json === 'string' ? json : null
}

/** The values that stand whole before the cut that an error names: all before its last comma. Null if there are none. */
export function readBeforeCut(error: unknown): unknown {
  const json = cutIn(error) ?? ''
  const whole = json.slice(0, Math.max(0, openIn(json).comma))
  try {
    return parseJson(whole + openIn(whole).closers.reverse().join(''), 'the text before the cut')
  } catch {
    return null
  }
}

/** Whether a sentence is that of such a refusal. */
export const tellsCutOff = (sentence: string): boolean => /is cut off after \d+ characters\.$/.test(sentence)

const BASE64 = /^[A-Za-z0-9+/_-]+$/

// Base64 is never four characters and one more; and JSON ends with the bracket that it began with.
function cutJson(text: string): string | null {
  if (text.startsWith('{')) return isOpen(text) ? text : null
  if (!BASE64.test(text)) return null
  const json = Buffer.from(text, 'base64').toString()
  return json.startsWith('{') && (text.length % 4 === 1 || isOpen(json)) ? json : null
}

/** Whether JSON ends inside a string or an object. */
function isOpen(json: string): boolean {
  const { quoted, closers } = openIn(json)
  return quoted || closers.length > 0
}

/** Where JSON stands at its end: in a string or not, the brackets that it lacks, and its last comma. */
function openIn(json: string): { quoted: boolean; closers: string[]; comma: number } {
  const closers: string[] = []
  let quoted = false
  let comma = -1
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') closers.push(char === '{' ? '}' : ']')
    else if (char === '}' || char === ']') closers.pop()
    else if (char === ',') comma = at
  }
  return { quoted, closers, comma }
}
