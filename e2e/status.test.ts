import { expect } from '@playwright/test'
import { goTo, newUser, signInAsAdmin, signInWithKey } from './accounts'
import { addSettlements } from './database'
import { test } from './journey'
import { buy } from './merchant'
import { service } from './test-service'

test('a visitor reads the status of each tier, with bounds, reasons and the same as JSON', async ({ page, browser }) => {
  const owner = newUser()
  await buy(await signInWithKey(page, 'status', owner))
  // About fifteen of each call are of Base Sepolia and of the last 24 hours.
  for (let times = 0; times < 4; times++) await addSettlements(owner, 60)
  const visitor = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await visitor.goto(`${service().baseUrl}/home`)
  await visitor.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Status' }).click()
  await visitor.waitForURL('**/status')
  await expect(visitor.getByRole('status')).toHaveText('All configured networks are accepting payments.')
  const line = visitor.getByRole('region', { name: /^Base Sepolia/ })
  await expect(line.getByRole('img', { name: /^Base Sepolia, the last 90 days: .*of valid payments settled/ })).toBeVisible()
  await expect(line).toContainText(/% of valid payments settled/)
  await expect(line).toContainText('Accepting payments')
  const standard = visitor.getByRole('article', { name: 'Standard on Base Sepolia' })
  await expect(standard).toBeHidden()
  await expect(visitor.getByText('at least').filter({ visible: true })).toHaveCount(0)
  await line.getByText('Details', { exact: false }).first().click()
  await expect(standard).toContainText('Available')
  await expect(standard).toContainText('Queue empty')
  await expect(standard.getByRole('row', { name: /^24 hours/ })).toContainText('at least')
  await standard.getByText('Why payments failed').click()
  await expect(standard.getByRole('link', { name: 'Insufficient funds' })).toBeVisible()
  await expect(visitor.getByRole('article', { name: 'Sandbox on Base Sepolia' })).toContainText('Available')
  expect(await visitor.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  const json = await visitor.request.get(`${service().baseUrl}/status.json`, { headers: { origin: 'https://other.test' } })
  expect(json.headers()).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' })
  expect(await json.json()).toMatchObject({ available: true, claim_min: 20 })
  expect(await json.text()).not.toContain(owner)
  await visitor.getByRole('link', { name: 'View as JSON' }).click()
  await visitor.waitForURL('**/status.json')
  await visitor.close()
})

test('an operator opens, updates and resolves an incident, and everyone reads each step', async ({ page, browser }) => {
  const visitor = await browser.newPage()
  const read = async () => {
    // A process shares what it read for ten seconds.
    const json = await (await visitor.request.get(`${service().baseUrl}/status.json`)).json()
    await visitor.goto(`${service().baseUrl}/status`)
    return json.incidents.find(({ title }: { title: string }) => title === name)
  }
  const name = `Slow settlements ${newUser()}`
  await signInAsAdmin(page)
  await goTo(page, 'Incidents')
  await page.getByRole('button', { name: 'New incident' }).click()
  const form = page.getByRole('dialog', { name: 'New incident' })
  await form.getByLabel('Title').fill(name)
  await form.getByRole('combobox', { name: 'Impact' }).selectOption('outage')
  await form.getByRole('checkbox', { name: 'Base Sepolia' }).check()
  await form.getByRole('combobox', { name: 'Began' }).selectOption('30')
  await form.getByLabel('What happens').fill('The nodes of Base Sepolia answer slowly.')
  await form.getByRole('button', { name: 'Publish' }).click()
  await expect(form).toHaveCount(0)
  await expect.poll(read).toMatchObject({ impact: 'outage', networks: ['eip155:84532'], resolved_at: null })
  const open = visitor.getByRole('region', { name: 'Open incidents' }).getByRole('article', { name })
  await expect(open).toContainText('The nodes of Base Sepolia answer slowly.')
  await expect(visitor.getByRole('status')).toContainText('incident')

  const own = page.getByRole('article', { name })
  await own.getByRole('button', { name: 'Post update' }).click()
  await page.getByLabel('What is new').fill('We changed the nodes.')
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(own).toContainText('We changed the nodes.')
  await own.getByRole('button', { name: 'Resolve' }).click()
  await page.getByLabel('How it ended').fill('All settle in time again.')
  await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await expect(own).toContainText('Resolved')
  await expect.poll(async () => (await read())?.resolved_at).toEqual(expect.any(String))
  const past = visitor.getByRole('region', { name: 'Past incidents' }).getByRole('article', { name })
  await expect(past.getByRole('listitem')).toHaveText([/All settle/, /We changed/, /answer slowly/])

  await own.getByRole('button', { name: /^Actions of / }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete incident' }).click()
  await expect(own).toHaveCount(0)
  await expect.poll(read).toBeUndefined()
  await visitor.close()
})
