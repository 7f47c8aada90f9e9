import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Lines, ORIGIN, signInText } from '../../test/support/payloads/sign-in'
import { anna, answerTo, NOW, place, prover, sol } from '../../test/support/payloads/wallets'

const withLines = (lines: Lines, wallet = anna) => answerTo(signInText(wallet, lines, NOW), wallet)

describe('a wallet signs in', () => {
  test('with a message of EIP-4361 and the signature of its key, and is known in lower case', async () => {
    expect(await withLines({})).toBe(anna.address.toLowerCase())
  })

  test('of Solana with the same text and Ed25519, and keeps its capitals', async () => {
    expect(await withLines({}, sol)).toBe(sol.address)
  })

  test('of Solana with its signature in base58 too', async () => {
    const inBase58 = async (text: string) => base58.encode(Buffer.from((await sol.sign(text)).slice(2), 'hex'))
    expect(await answerTo(signInText(sol, {}, NOW), { sign: inBase58 })).toBe(sol.address)
  })

  const FINE: [string, Lines][] = [
    ['without a statement', { statement: null }],
    ['with the scheme of the service', { head: 'http://localhost:3000 wants you to sign in with your Ethereum account:' }],
    ['with a path in its URI', { uri: `${ORIGIN}/dashboard?tab=1#top` }],
    ['with a not-before that has passed', { notBefore: '2026-11-21T12:00:00Z' }],
    ['with a not-before of a clock that is a minute fast', { notBefore: '2026-11-21T12:01:00Z' }],
    ['with a clock that is a minute fast', { issuedAt: '2026-11-21T12:01:00Z' }],
    ['with an offset in its times', { issuedAt: '2026-11-21T13:00:00+01:00', expirationTime: '2026-11-21T13:00:01+01:00' }],
    ['for exactly the longest time', { issuedAt: '2026-11-14T12:00:01Z', expirationTime: '2026-11-21T12:00:01Z' }],
    ['with a request id and resources', { requestId: 'r-1', tail: `\nResources:\n- ${ORIGIN}/a\n- ipfs://bafy` }],
  ]
  test.each(FINE)('%s', async (_, lines) => {
    expect(await withLines(lines)).toBe(anna.address.toLowerCase())
    const ofSolana = lines.head ? { ...lines, head: lines.head.replace('Ethereum', 'Solana') } : lines
    expect(await withLines(ofSolana, sol)).toBe(sol.address)
  })

  test('of Solana with one empty line where there is no statement, as some wallets write it', async () => {
    const text = signInText(sol, { statement: null }, NOW).replace('\n\n\n', '\n\n')
    expect(await answerTo(text, sol)).toBe(sol.address)
  })
})

describe('one broken line is one refusal that says which, and how to fix it', () => {
  const BROKEN: [what: string, Lines, says: RegExp][] = [
    ['another host', { head: 'evil.test wants you to sign in with your Ethereum account:' }, /domain must be localhost:3000/],
    ['the host without its port', { head: 'localhost wants you to sign in with your Ethereum account:' }, /domain must be/],
    ['the host behind a name', { head: 'a@localhost:3000 wants you to sign in with your Ethereum account:' }, /domain must be/],
    ['the host in capitals', { head: 'LOCALHOST:3000 wants you to sign in with your Ethereum account:' }, /domain must be/],
    ['a longer host', { head: 'localhost.evil.test:3000 wants you to sign in with your Ethereum account:' }, /domain must be/],
    ['another scheme', { head: 'https://localhost:3000 wants you to sign in with your Ethereum account:' }, /domain must be/],
    ['another first line', { head: 'localhost:3000 wants your Ethereum account:' }, /first line must be/],
    ['no URI', { uri: null }, /line "URI: "/],
    ['a URI elsewhere', { uri: 'http://evil.test/' }, /URI must be a URL of this service/],
    ['a URI of another scheme', { uri: 'https://localhost:3000/' }, /URI must be/],
    ['a URI on another port', { uri: 'http://localhost:3001/' }, /URI must be/],
    ['a URI with a name before the host', { uri: 'http://localhost:3000@evil.test/' }, /URI must be/],
    ['a URI with a name before our host', { uri: 'http://evil@localhost:3000/' }, /URI must be/],
    ['a blob', { uri: 'blob:http://localhost:3000/1' }, /URI must be/],
    ['no version', { version: null }, /line "Version: 1"/],
    ['version 2', { version: '2' }, /Version(: 1"| must be 1)/],
    ['no chain', { chainId: null }, /line "Chain ID: "/],
    ['no nonce', { nonce: null }, /line "Nonce: "/],
    ['a short nonce', { nonce: 'abc1234' }, /line "Nonce: "/],
    ['no issue', { issuedAt: null }, /"Issued At: "/],
    ['an issue that is no time', { issuedAt: 'today' }, /Issued At/],
    [
      'an issue in the future',
      { issuedAt: '2026-11-21T12:01:01Z', expirationTime: '2026-11-21T13:00:00Z' },
      /Issued At is in the future/,
    ],
    ['no expiry', { expirationTime: null }, /has no Expiration Time/],
    ['an expiry that is no time', { expirationTime: 'never' }, /Expiration Time must be a time/],
    ['an expiry in Unix seconds', { expirationTime: '1795262400' }, /Expiration Time must be a time/],
    ['an expiry without a zone', { expirationTime: '2026-11-21T12:10:00' }, /Expiration Time must be a time/],
    ['an expiry on a day that no month has', { expirationTime: '2027-02-30T00:00:00Z' }, /Expiration Time must be a time/],
    ['an expiry in a leap second', { expirationTime: '2026-12-31T23:59:60Z' }, /Expiration Time must be a time/],
    [
      'an expiry at this very moment',
      { issuedAt: '2026-11-21T11:00:00Z', expirationTime: '2026-11-21T12:00:00Z' },
      /has expired/,
    ],
    [
      'an expiry before the issue',
      { issuedAt: '2026-11-21T12:00:30Z', expirationTime: '2026-11-21T12:00:10Z' },
      /after its Issued At/,
    ],
    ['a second too long', { issuedAt: '2026-11-14T12:00:00Z', expirationTime: '2026-11-21T12:00:01Z' }, /at most 168 hours/],
    ['a not-before to come', { notBefore: '2026-11-21T12:01:01Z' }, /not valid yet/],
    ['a not-before that is no time', { notBefore: 'soon' }, /Not Before must be a time/],
    ['a line break at the end', { tail: '\n' }, /with no other lines/],
    ['text at the end', { tail: '\nAnd give me everything.' }, /with no other lines/],
    ['a statement of two lines', { statement: 'one\ntwo' }, /with no other lines/],
    ['a statement with a line of its own', { statement: 'Hi\nURI: http://evil.test/' }, /with no other lines/],
    ['two URIs', { uri: `${ORIGIN}\nURI: http://evil.test` }, /with no other lines/],
    ['carriage returns', { statement: 'Show my payments.\r' }, /with no other lines/],
  ]
  test.each(BROKEN)('%s', async (_, lines, says) => {
    for (const wallet of [anna, sol]) {
      const own = lines.head ? { ...lines, head: lines.head.replace('Ethereum', wallet.family) } : lines
      const answer = await withLines(own, wallet)
      expect(answer).toMatch(/^unauthorized: /)
      expect(answer).toMatch(says)
    }
  })

  test('an address without its checksum', async () => {
    const text = signInText({ ...anna, address: anna.address.toLowerCase() }, {}, NOW)
    expect(await answerTo(text)).toMatch(/^unauthorized: .*EIP-55/)
  })

  test('text before the message', async () => {
    expect(await answerTo(`\n${signInText(anna, {}, NOW)}`)).toMatch(/^unauthorized: .*first line/)
  })

  test('the lifetime is what this service says', async () => {
    const short = prover(null, { ...place, maxAgeHours: 1 })
    const text = signInText(anna, { expirationTime: '2026-11-21T13:00:01Z' }, NOW)
    expect(await answerTo(text, anna, short)).toMatch(/at most 1 hours after/)
  })

  test('no refusal quotes the message or its signature', async () => {
    for (const [, lines] of BROKEN) {
      const answer = await withLines({ statement: 'a-word-of-the-message', ...lines })
      for (const word of ['a-word-of', anna.address, '32891756abcd', 'evil']) expect(answer).not.toContain(word)
    }
  })

  test('any text is a wallet or a refusal with a message', async () => {
    const lines = fc.array(fc.oneof(fc.string(), fc.constantFrom(...signInText(anna, {}, NOW).split('\n'))), { maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(lines, async (some) => {
        expect(await answerTo(some.join('\n'), { sign: async () => '0x00' })).toMatch(/^unauthorized: X-SIWE-Message/)
      }),
    )
  })
})

describe('a message for one service is nothing at another', () => {
  test.each(['https://api.quittance.test', 'http://localhost:3001', 'https://localhost'])('%s', async (baseUrl) => {
    const elsewhere = prover(null, { ...place, baseUrl })
    expect(await answerTo(signInText(anna, {}, NOW), anna, elsewhere)).toMatch(/^unauthorized: .*domain must be/)
  })
})
