import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { place } from './place'

/** A user name that nobody has had. */
export const newUser = (): string => `user-${randomUUID().slice(0, 8)}`

/** Signs somebody in at the identity provider; they stand before their overview then. */
export async function signInAsMerchant(page: Page, user = newUser()): Promise<void> {
  await page.goto(`${place().baseUrl}/sign-in`)
  await page.getByRole('button', { name: 'Sign in as a merchant' }).click()
  await page.getByLabel('User name').fill(user)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
}

/** Signs in with a wallet that the page was given; `to` is the screen wished for. */
export async function signInWithWallet(page: Page, wallet: string, to: string): Promise<void> {
  await page.goto(`${place().baseUrl}/sign-in?to=${to}`)
  await page.getByRole('button', { name: wallet }).click()
  await page.waitForURL(`**${to}`)
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
}

/** Signs in with the key of the administrator. */
export async function signInAsAdmin(page: Page): Promise<void> {
  await page.goto(`${place().baseUrl}/sign-in?to=/console`)
  await page.getByLabel('Admin key').fill(place().adminKey)
  await page.getByRole('button', { name: 'Enter' }).click()
  await page.waitForURL('**/console')
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
}

/** Makes a key on the screen of keys, from its only display to the first time it is put away. Returns its facilitator URL. */
export async function makeKey(page: Page, name: string): Promise<string> {
  await page.goto(`${place().baseUrl}/dashboard/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New key' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Make the key' }).click()
  const shown = page.getByRole('dialog', { name: 'Your key' })
  const url = await shown.getByRole('button', { name: 'Copy Facilitator URL' }).getAttribute('title')
  // What is shown once is not lost by a key.
  await page.keyboard.press('Escape')
  await shown.getByRole('button', { name: 'I have kept it' }).click()
  return url ?? ''
}

/** The link of the navigation to a screen; the screens themselves link to one another too. */
export const screenLink = (page: Page, screen: string): Locator =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen, exact: true })

/** Goes to another screen as people do. It has landed then: a reload before that loads the screen left behind. */
export async function goTo(page: Page, screen: string): Promise<void> {
  const link = screenLink(page, screen)
  const { pathname } = new URL((await link.getAttribute('href')) ?? '', place().baseUrl)
  await link.click()
  await page.waitForURL((url) => url.pathname === pathname)
}
