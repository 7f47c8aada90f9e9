import { isServiceError } from '../base/errors'
import { malformed } from '../x402/json'

const CUT_OFF = new Error('cut off')

/** What to do about a text that lost its end. */
export const COPY_ALL = 'Copy the whole header and paste it again: terminals and logs cut long lines.'

/** The refusal of a text whose end is missing, naming its length; null for a text that is whole or that breaks elsewhere. */
export function cutOffRefusal(text: string, what: string) {
  return isCutOff(text.trim()) ? malformed(`${what} is cut off after ${text.trim().length} characters`, CUT_OFF) : null
}

/** Whether an error is such a refusal. */
export const saysCutOff = (error: unknown): boolean => isServiceError(error) && error.cause === CUT_OFF

/** Whether a sentence is that of such a refusal. */
export const tellsCutOff = (sentence: string): boolean => /is cut off after \d+ characters\.$/.test(sentence)

const BASE64 = /^[A-Za-z0-9+/_-]+$/

// Base64 is never four characters and one more; and JSON ends with the bracket that it began with.
function isCutOff(text: string): boolean {
  if (text.startsWith('{')) return isOpen(text)
  if (!BASE64.test(text)) return false
  const json = Buffer.from(text, 'base64').toString()
  return json.startsWith('{') && (text.length % 4 === 1 || isOpen(json))
}

/** Whether JSON ends inside a string or an object. */
function isOpen(json: string): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < json.length; at++) {
    const char = json[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
  }
  return quoted || depth > 0
}
