import { SiweMessage } from 'siwe'
import { describe, expect, test } from 'vitest'
import { ipSubject } from '../../server/accounts/caller'
import { isServiceError } from '../../server/base/errors'
import { createLog, holdsKey, scrub, withoutSecrets } from '../../server/base/log'
import { wordsIn } from '../../server/discovery/filters'
import { fieldsOf } from '../../server/explain/fields'
import { recognize } from '../../server/explain/recognize'
import { idCursor, readSigned } from '../../server/http/page'
import { queryOf } from '../../server/http/request'
import { clientAddress, headerFault, requestIdFrom } from '../../server/http/request-headers'
import { readTarget } from '../../server/http/request-target'
import { faultOf, readSolanaMessage } from '../../server/sign-in/messages'
import { signInFailure } from '../../server/sign-in/oidc'
import { readAddress, readTransaction } from '../../server/x402/addresses'
import { bytes32, decodeBase64, standardBase64 } from '../../server/x402/encodings'
import { parseJson, plainJson, plainText } from '../../server/x402/json'
import { isPublicHost, listedUrl } from '../../server/x402/listing-url'
import { readNetwork } from '../../server/x402/networks/networks'
import { parsePayment } from '../../server/x402/parse'
import { fieldsOfProcedures, fieldsOfRoutes } from '../money/fuzz/schemas'
import { type Attack, type Reader, repeated, superlinear } from './linear'

const PARTS = [
  '=',
  '-eyJ',
  'eyJ',
  '-eyJaaaaaaaa.eyJ',
  'eyJaaaaaaaa.',
  'qt_',
  '%71t_',
  'bearer ',
  'bearer%20',
  'a.',
  'a://',
  '://',
  'file://',
  'https://a@',
  '?key',
  '?key=',
  '&a=',
  '/v1/',
  '%',
  '%20',
  '%zz',
  '/',
  '\\',
  '"',
  '\\"',
  '{"a":',
  '[',
  '{',
  ',',
  '"a",',
  ':',
  ';',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '0',
  '1',
  'z',
  'a',
  'A',
  'é',
  '🦊',
  '\ud800',
  '\0',
  '-',
  '_',
  '.',
  '+',
  '@',
  '~',
  '#',
  '<',
  '=?',
  '0x',
  'ff',
  '::',
  '1.',
  '1:',
  'a,',
  'a=b; ',
  'a: b\n',
  '> a: b\r\n',
  'HTTP/1.1 2',
  '- a\n',
  'URI: a\n',
  'Nonce: a',
  '\n{',
  '{}\n',
  '[]',
  '\u200b',
  ' wants you to sign in with your Solana account:\n',
  ' wants you to sign in with your Ethereum account:\n',
  'a b\n',
  '\u2028',
]
const ENDS = ['', '!', '\n', ' a']
const attacks: Attack[] = PARTS.flatMap((part) => ENDS.map((end) => repeated(part, end)))

/** A reader that may refuse the text. */
const refusing =
  (read: Reader): Reader =>
  (text) => {
    try {
      return read(text)
    } catch (error) {
      if (!isServiceError(error)) throw error
      return null
    }
  }

// A third of what a message may have: this grammar is slow, and grows with the length only.
const evm = (text: string) => {
  try {
    return new SiweMessage(text.slice(0, 1_400))
  } catch {
    return null
  }
}

const payload = (text: string) => ({
  x402Version: 1,
  scheme: 'exact',
  network: 'base',
  payload: { signature: text, authorization: text },
})
const requirements = (text: string) => ({ scheme: text, network: text, asset: text, payTo: text, amount: text, resource: text })
const log = createLog('info', { destination: { write: () => undefined } })

const SOLANA_HEAD = `a.test wants you to sign in with your Solana account:\n${'1'.repeat(32)}\n\n`
const EVM_HEAD = `a.test wants you to sign in with your Ethereum account:\n0x${'0'.repeat(40)}\n\n`

/** What reads a text of a stranger before a quota counts it. */
const READERS: [string, Reader][] = [
  ['base64', refusing((text) => decodeBase64(text, 'x'))],
  ['standard base64', standardBase64],
  ['base58', bytes32],
  ['an address', readAddress],
  ['a transaction', readTransaction],
  ['a network', readNetwork],
  ['JSON', refusing((text) => parseJson(text, 'x'))],
  ['a plain text', (text) => plainText(text, 300)],
  ['plain JSON', (text) => plainJson({ [text]: [text] }, { depth: 4, bytes: 8_192 })],
  ['the host of a listing', isPublicHost],
  ['the URL of a listing', (text) => listedUrl(`https://a.test/${text}`, text, { privateHosts: true })],
  ['a payment in base64', refusing((text) => parsePayment({ paymentPayload: text, paymentRequirements: {} }))],
  ['a header of version 1', refusing((text) => parsePayment({ paymentHeader: text, paymentRequirements: {} }))],
  ['the fields of a payload', refusing((text) => parsePayment({ paymentPayload: payload(text), paymentRequirements: {} }))],
  ['requirements', refusing((text) => parsePayment({ paymentPayload: payload('0x'), paymentRequirements: requirements(text) }))],
  ['a pasted text', recognize],
  ['a pasted field', (text) => recognize({ [text]: text })],
  ['a pasted header', (text) => recognize({ 'x-payment': text })],
  ['the fields of a pasted body', (text) => fieldsOf({ paymentPayload: text, paymentRequirements: requirements(text) }, null)],
  ['the path of a request', (text) => readTarget(`/${text}`)],
  ['the URL of a request', (text) => readTarget(`http://${text}`)],
  ['the query of a request', (text) => queryOf({ url: `http://a.test/?${text}` })],
  ['X-Forwarded-For', (text) => clientAddress('10.0.0.1', text, 1)],
  ['an address with a zone', (text) => ipSubject(`fe80::1%${text}`)],
  ['X-Request-Id', (text) => requestIdFrom({ 'x-request-id': text })],
  ['encodings of a body', (text) => headerFault({ host: 'a', 'transfer-encoding': text, 'content-encoding': text }, '1.1')],
  ['a signed cursor', refusing((text) => readSigned(Buffer.alloc(32), 'x', text))],
  ['the cursor of a list', (text) => idCursor.safeParse(text)],
  ['the words of a search', wordsIn],
  ['a message of Solana', readSolanaMessage],
  ['the lines of a message of Solana', (text) => readSolanaMessage(SOLANA_HEAD + text)],
  ['the lines of a message of EVM', (text) => evm(EVM_HEAD + text)],
  ['an unreadable message', faultOf],
  ['the lines of an unreadable message', (text) => faultOf(EVM_HEAD + text)],
  ['a failed sign-in', (text) => signInFailure({ error: text, error_description: text })],
  ['the text of an explanation', withoutSecrets],
  ['the text of an error', (text) => scrub(text)],
  ['a segment that may be a key', holdsKey],
  ['a line of the log', (text) => log.info({ said: text, err: new Error(text) }, text)],
]

describe('a text of a stranger costs in line with its length, when it is', () => {
  test.each(READERS)('%s', (_, read) => {
    expect(superlinear(read, attacks)).toEqual([])
  })
})

describe('each parameter costs in line with its length, of', () => {
  test.each([
    ['every route', fieldsOfRoutes],
    ['every procedure', fieldsOfProcedures],
  ])('%s', (_, fieldsOf) => {
    const schemas = fieldsOf()
    expect(schemas.length).toBeGreaterThan(30)
    expect(schemas.flatMap((schema) => superlinear((text) => schema.safeParse(text), attacks))).toEqual([])
  })
})
