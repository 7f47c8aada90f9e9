import { chromium } from '@playwright/test'
import { readFileSync } from 'node:fs'
import { privateKeyToAccount } from 'viem/accounts'
const base = 'http://localhost:3700'
const world = JSON.parse(readFileSync('.data/demo/world.json','utf8'))
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-dev-shm-usage','--disable-gpu'] })
async function shoot(page, name, paths) {
  for (const p of paths) for (const [w, scheme] of [[1440,'light'],[390,'dark']]) {
    await page.setViewportSize({ width: w, height: 900 }); await page.emulateMedia({ colorScheme: scheme })
    await page.goto(base + p); await page.waitForTimeout(1600)
    await page.screenshot({ path: `/tmp/shots/${name}${p.replace(/\W+/g,'_')}-${w}.png`, fullPage: false })
  }
}
const errors = (page) => page.on('pageerror', (e) => console.log('pageerror:', page.url(), String(e).slice(0, 200)))
{ const page = await (await browser.newContext()).newPage(); errors(page)
  await page.goto(base + '/sign-in'); await page.getByRole('button', { name: 'Sign in as a merchant' }).click(); await page.waitForURL(/sign-in\//)
  await page.locator('input[name=user]').fill('demo-seed'); await page.keyboard.press('Enter'); await page.waitForURL(/dashboard/)
  await shoot(page, 'm', ['/dashboard', '/dashboard/keys', '/dashboard/listings', '/dashboard/start', '/catalog'])
  await page.setViewportSize({ width: 1440, height: 900 }); await page.goto(base+'/dashboard/settlements'); await page.waitForTimeout(1500); await page.locator('tbody tr button').first().click(); await page.waitForTimeout(1500); await page.screenshot({ path: '/tmp/shots/m_drawer.png' }) }
{ const page = await (await browser.newContext()).newPage(); errors(page)
  await page.goto(base + '/sign-in'); await page.getByLabel('Admin key').fill(world.secrets.admin); await page.getByRole('button', { name: 'Enter' }).click(); await page.waitForURL(/console/)
  await shoot(page, 'a', ['/console', '/console/history', '/console/tenants', '/console/networks']) }
{ const ctx = await browser.newContext(); const account = privateKeyToAccount(world.keys.payer ?? Object.values(world.keys).find((k) => /^0x[0-9a-f]{64}$/.test(k)))
  await ctx.exposeFunction('__sign', (hex) => account.signMessage({ message: { raw: hex } }))
  await ctx.addInitScript((address) => {
    const provider = { request: async ({ method, params }) => method === 'eth_requestAccounts' || method === 'eth_accounts' ? [address] : method === 'eth_chainId' ? '0x14a34' : method === 'personal_sign' ? window.__sign(params[0]) : method === 'wallet_requestPermissions' ? [] : null, on() {}, removeListener() {} }
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>', rdns: 'test.wallet' }, provider }) }))
    addEventListener('eip6963:requestProvider', announce); announce()
  }, account.address)
  const page = await ctx.newPage(); errors(page)
  await page.goto(base + '/sign-in'); await page.getByRole('button', { name: /Test Wallet/ }).click(); await page.waitForURL(/payments/, { timeout: 15000 })
  await shoot(page, 'w', ['/payments', '/agent', '/agent/settlements']) }
await browser.close()
