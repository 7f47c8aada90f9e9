import { readFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { ETHEREUM, giveEthereumWallet } from './e2e/wallets.ts'

const B = 'http://localhost:3000'
const world = JSON.parse(readFileSync('.data/demo/world.json', 'utf8'))
const key = world.keys.payer
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const shots = {}
async function snap(page, name) {
  for (const [w, h] of [
    [1440, 1000],
    [390, 844],
  ])
    for (const theme of ['light', 'dark']) {
      await page.setViewportSize({ width: w, height: h })
      await page.emulateMedia({ colorScheme: theme })
      await page.waitForTimeout(500)
      const f = `/tmp/shots/${name}-${w}-${theme}.png`
      await page.screenshot({ path: f, fullPage: true })
      ;(shots[name] ??= []).push([f, w])
    }
  const html =
    `<body style="margin:0;display:flex;gap:8px;background:#888;align-items:start">` +
    shots[name]
      .map(([f, w]) => `<img src="data:image/png;base64,${readFileSync(f).toString('base64')}" width="${w === 390 ? 260 : 720}">`)
      .join('')
  const p = await browser.newPage({ viewport: { width: 2000, height: 1000 } })
  await p.setContent(html)
  const hh = await p.evaluate(() => document.body.scrollHeight)
  await p.setViewportSize({ width: 2000, height: Math.min(hh, 1750) })
  await p.screenshot({ path: `/tmp/shots/all2-${name}.png` })
  await p.close()
  console.log(name)
}
const ctx = await browser.newContext()
const page = await ctx.newPage()
await page.addInitScript('globalThis.__name = (f) => f')
await giveEthereumWallet(page, key)
await page.goto(B + '/sign-in?to=/payments')
await page.getByRole('button', { name: ETHEREUM }).click()
await page.waitForURL('**/payments')
await page.waitForTimeout(2500)
await snap(page, 'payments')
await page.setViewportSize({ width: 1440, height: 1000 })
await page
  .getByRole('row')
  .filter({ has: page.getByRole('button', { name: /^Copy transaction / }) })
  .first()
  .getByRole('button')
  .first()
  .click()
await page.waitForTimeout(1500)
await snap(page, 'drawer')
const href = await page.getByRole('link', { name: 'Receipt' }).getAttribute('href')
await page.goto(B + href)
await page.waitForTimeout(1500)
await snap(page, 'receipt')
await page.goto(B + '/agent')
await page.waitForTimeout(2000)
await snap(page, 'agent')
await page.setViewportSize({ width: 1440, height: 1000 })
await page.keyboard.press('Control+k')
await page.waitForTimeout(800)
await snap(page, 'palette')
await page.keyboard.press('Escape')
await page.setViewportSize({ width: 1440, height: 1000 })
await page.keyboard.press('?')
await page.waitForTimeout(800)
await snap(page, 'keys')
const home = await browser.newPage()
await home.goto(B + '/home')
await home.getByRole('button', { name: 'Try a payment' }).click()
await home.waitForTimeout(6000)
await snap(home, 'played')
await browser.close()
