import { chromium } from '@playwright/test'

const base = process.env.BASE ?? 'http://localhost:3700'
const [, , user = 'demo-seed', ...paths] = process.argv
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
})
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
const page = await context.newPage()
page.on('console', (m) => {
  if (m.type() === 'error') console.log('console:', m.text().slice(0, 300))
})
page.on('pageerror', (e) => console.log('pageerror:', String(e).slice(0, 300)))
await page.goto(base + '/sign-in')
await page.waitForTimeout(1500)
await page.screenshot({ path: '/tmp/shots/sign-in.png' })
if (user !== '-') {
  await page.getByRole('button', { name: 'Sign in as a merchant' }).click()
  await page.waitForURL(/sign-in\//)
  await page.locator('input[name=user]').fill(user)
  await page.keyboard.press('Enter')
  await page.waitForURL(/dashboard/, { timeout: 15000 })
}
for (const p of paths) {
  for (const [w, scheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ]) {
    await page.setViewportSize({ width: w, height: 900 })
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(base + p)
    await page.waitForTimeout(1800)
    await page.screenshot({ path: `/tmp/shots/${p.replace(/\W+/g, '_')}-${w}-${scheme}.png`, fullPage: true })
  }
}
await browser.close()
