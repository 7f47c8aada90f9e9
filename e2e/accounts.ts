import { randomUUID } from 'node:crypto'
import { type APIResponse, expect, type Locator, type Page } from '@playwright/test'
import { service } from './test-service'

/** A new user name. */
export const newUser = (): string => `user-${randomUUID().slice(0, 8)}`

/** Signs in with the pages of the service and of the identity provider, and waits for the overview. */
export async function signInOnPages(page: Page, user = newUser()): Promise<void> {
  await page.goto(`${service().baseUrl}/sign-in`)
  await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
  await page.getByLabel('User name').fill(user)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}

/** Signs in with the requests of those pages, which is quicker, and opens the overview. */
export async function signInAsMerchant(page: Page, user = newUser()): Promise<void> {
  await authenticateMerchant(page, user)
  await open(page, '/dashboard')
}

/** Signs in as a merchant with a new key, opens the overview or the screen at `path`, and returns the key's facilitator URL. */
export async function signInWithKey(page: Page, name: string, user = newUser(), path = '/dashboard'): Promise<string> {
  await authenticateMerchant(page, user)
  const url = await newKey(page, name)
  await open(page, path)
  return url
}

async function authenticateMerchant(page: Page, user: string): Promise<void> {
  const started = await authenticate(page, 'signin/oidc', {})
  const form = await page.request.get((await started.json()).url)
  const ended = await page.request.post(form.url(), { form: { user } })
  expect(ended.status()).toBe(200)
}

/** Signs in with a wallet of the page and waits for the screen at `path`. */
export async function signInWithWallet(page: Page, wallet: string, path: string): Promise<void> {
  await page.goto(`${service().baseUrl}/sign-in?to=${encodeURIComponent(path)}`)
  await page.getByRole('button', { name: wallet }).click()
  await landOn(page, path)
}

/** Signs in with the admin key and opens the console. */
export async function signInAsAdmin(page: Page): Promise<void> {
  expect((await authenticate(page, 'callback/admin', { key: service().adminKey })).status()).toBe(200)
  await open(page, '/console')
}

/** Opens the page of an owner's only tenant as an administrator, and returns its path. */
export async function openTenant(page: Page, owner: string): Promise<string> {
  await page.goto(`${service().baseUrl}/console/tenants?search=${owner}`)
  await page.getByRole('table').getByRole('link').click()
  await page.getByRole('region', { name: 'Plan and limits' }).getByText('Plan', { exact: true }).waitFor()
  return new URL(page.url()).pathname
}

/** Opens the page of the signed-in merchant's only key, and returns its path. */
export async function openKey(page: Page): Promise<string> {
  await page.goto(`${service().baseUrl}/dashboard/keys`)
  await page.locator('main a[href^="/dashboard/keys/"]').first().click()
  await page.waitForURL(/\/dashboard\/keys\/./)
  return new URL(page.url()).pathname
}

/** Calls a sign-in route as the pages do. Browser and requests share their cookies. */
async function authenticate(page: Page, route: string, values: Record<string, string>): Promise<APIResponse> {
  const auth = `${service().baseUrl}/api/auth`
  const { csrfToken } = await (await page.request.get(`${auth}/csrf`)).json()
  return page.request.post(`${auth}/${route}`, {
    form: { csrfToken, callbackUrl: `${service().baseUrl}/home`, json: 'true', ...values },
  })
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${service().baseUrl}${path}`)
  await answersKeys(page)
}

/** Waits until a screen hears keys: its HTML shows before its scripts run, and React marks the parts of a screen before it listens. */
async function answersKeys(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const listens = async () => {
    const { result } = await browser.send('Runtime.evaluate', { expression: 'globalThis' })
    const { listeners } = await browser.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' })
    return listeners.some(({ type }) => type === 'keydown')
  }
  // A navigation meanwhile ends the look.
  await expect.poll(() => listens().catch(() => false)).toBe(true)
  await browser.detach()
}

/** Unfolds the operator's part of the sign-in page and enters a key. */
export async function unfoldAndEnter(page: Page, key: string): Promise<void> {
  await expect(page.getByLabel('Admin key')).toBeHidden()
  await page.getByText('Operator? Sign in with the admin key').click()
  await page.getByLabel('Admin key').fill(key)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

// Compares the path: the sign-in URL itself ends with the path as its `to`.
async function landOn(page: Page, path: string): Promise<void> {
  const { pathname: wanted } = new URL(path, service().baseUrl)
  await page.waitForURL(({ pathname }) => pathname === wanted)
  await answersKeys(page)
}

/** Creates a key as its screen does, without the screen, and returns its facilitator URL. */
export async function newKey(page: Page, name: string): Promise<string> {
  const { baseUrl } = service()
  const created = await page.request.post(`${baseUrl}/api/trpc/keys.create`, { headers: { origin: baseUrl }, data: { name } })
  expect(created.status()).toBe(200)
  return (await created.json()).result.data.url
}

/** Fills the form of a new key. Returns the button that sends it. */
export async function nameNewKey(page: Page, name: string): Promise<Locator> {
  await page.goto(`${service().baseUrl}/dashboard/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByLabel('Name').fill(name)
  return form.getByRole('button', { name: 'Create key' })
}

/** Creates a key on its screen and returns its facilitator URL. */
export async function makeKey(page: Page, name: string): Promise<string> {
  await (await nameNewKey(page, name)).click()
  const shown = page.getByRole('dialog', { name: 'Your key' })
  const url = await shown.getByText(/^http/).textContent()
  // Escape must not close a dialog that shows a secret once.
  await page.keyboard.press('Escape')
  await keep(shown)
  await withoutParameter(page, 'new')
  return url ?? ''
}

/** Chooses an action in the menu of a row. */
export async function actionOf(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Confirms that a secret shown once is stored, and closes its dialog. */
export async function keep(shown: Locator): Promise<void> {
  await shown.getByRole('checkbox', { name: 'I stored it where I can find it' }).check()
  await shown.getByRole('button', { name: 'Done' }).click()
}

/** Waits until the URL lost a parameter: a reload before that opens its dialog again. */
export async function withoutParameter(page: Page, name: string): Promise<void> {
  await page.waitForURL(({ searchParams }) => !searchParams.has(name))
}

/** The navigation link of a screen. */
export const screenLink = (page: Page, screen: string): Locator =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen, exact: true })

/** Goes to a screen by the navigation and waits for its URL: a reload before that loads the previous screen. */
export async function goTo(page: Page, screen: string): Promise<void> {
  const link = screenLink(page, screen)
  const { pathname } = new URL((await link.getAttribute('href')) ?? '', service().baseUrl)
  await link.click()
  await page.waitForURL((url) => url.pathname === pathname)
}
