import { describe, expect, test } from 'vitest'
import { nonceOf } from '@/server/sign-in/nonce'
import { type AuthAnswer, type AuthBrowser, authBrowser } from '@/test/auth-browser'
import { askProcedure, dataOf } from '@/test/dashboard'
import { asked, startReading } from '@/test/history'
import { evmWallet, type Lines, type SigningWallet, signInText, siweHeaders, solanaWallet } from '@/test/sign-in'
import { fixture } from '../../../../test/fixture'

const harness = fixture(startReading)

/** The sign-in message of a page in this browser, signed; lines can be overridden. */
async function signedIn(browser: AuthBrowser, wallet: SigningWallet, lines: Lines = {}): Promise<[string, string]> {
  const { host, origin } = new URL(harness.app.config.baseUrl)
  const head = `${host} wants you to sign in with your ${wallet.family} account:`
  const text = signInText(wallet, { head, uri: origin, nonce: await nonceOf(await browser.csrf()), ...lines })
  return [text, await wallet.sign(text)]
}

async function whoIs(browser: AuthBrowser): Promise<string | null> {
  const answer = await askProcedure(harness.app, asked('/api/trpc/session.get', { headers: browser.header() }))
  return dataOf<{ who: { name: string } | null }>(answer).who?.name ?? null
}

const textOf = ({ body }: AuthAnswer) => new URL(String(Reflect.get(Object(body), 'url'))).searchParams.get('error')
const newBrowser = () => authBrowser(harness.app)

describe.each([
  ['an Ethereum wallet', evmWallet],
  ['a Solana wallet', solanaWallet],
])('a message of %s for the dashboard', (_name, newWallet) => {
  test('signs in the browser that asked for it', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    expect((await browser.signInAsWallet(...(await signedIn(browser, wallet)))).status).toBe(200)
    expect(await whoIs(browser)).toBe(wallet.address)
  })

  test('does not sign in another browser, before or after its use', async () => {
    const [browser, thief, wallet] = [newBrowser(), newBrowser(), newWallet()]
    const captured = await signedIn(browser, wallet)
    const replay = async () => {
      const answer = await thief.signInAsWallet(...captured)
      expect([answer.status, textOf(answer)]).toEqual([401, expect.stringContaining('signed for another browser')])
      expect(await whoIs(thief)).toBeNull()
    }
    await replay()
    await browser.signInAsWallet(...captured)
    await replay()
  })

  test('does not sign in twice: after the sign-out it is over, and a new one passes', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    const captured = await signedIn(browser, wallet)
    await browser.signInAsWallet(...captured)
    await browser.signOut()
    const again = await browser.signInAsWallet(...captured)
    expect([again.status, textOf(again)]).toEqual([401, expect.stringContaining('its session was signed out')])
    expect(await whoIs(browser)).toBeNull()
    await browser.signInAsWallet(...(await signedIn(browser, wallet, { requestId: 'second' })))
    expect(await whoIs(browser)).toBe(wallet.address)
  })

  test('sent again before that, it opens the same session and not a second one', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    const captured = await signedIn(browser, wallet)
    await browser.signInAsWallet(...captured)
    const copy = authBrowser(harness.app, undefined, browser.header())
    await browser.signInAsWallet(...captured)
    expect([await whoIs(browser), await whoIs(copy)]).toEqual([wallet.address, wallet.address])
    await browser.signOut()
    expect(await whoIs(copy)).toBeNull()
  })

  test('is valid for a quarter of an hour at most', async () => {
    const [browser, wallet] = [newBrowser(), newWallet()]
    const until = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
    const times = (seconds: number) => ({ issuedAt: until(0), expirationTime: until(seconds) })
    const long = await browser.signInAsWallet(...(await signedIn(browser, wallet, times(960))))
    expect([long.status, textOf(long)]).toEqual([401, expect.stringContaining('at most 15 minutes')])
    expect((await browser.signInAsWallet(...(await signedIn(browser, wallet, times(899))))).status).toBe(200)
  })

  test('needs no nonce of ours in the headers of the API', async () => {
    const { host, origin } = new URL(harness.app.config.baseUrl)
    const wallet = newWallet()
    const head = `${host} wants you to sign in with your ${wallet.family} account:`
    const headers = await siweHeaders(wallet, { head, uri: origin, nonce: 'chosenByTheCaller1' })
    const [text, signature] = [
      Buffer.from(headers['x-siwe-message'] ?? '', 'base64').toString(),
      headers['x-siwe-signature'] ?? '',
    ]
    expect((await harness.app.proveWallet({ text, signature })).toLowerCase()).toBe(wallet.address.toLowerCase())
  })
})

test('a nonce has only letters and digits, differs by browser, and does not reveal the CSRF token', async () => {
  const tokens = await Promise.all([newBrowser().csrf(), newBrowser().csrf()])
  const nonces = await Promise.all(tokens.map(nonceOf))
  expect(nonces.filter((nonce) => !/^[0-9a-f]{32}$/.test(nonce))).toEqual([])
  expect(new Set([...nonces, ...tokens.map((token) => token.slice(0, 32))]).size).toBe(4)
})
