import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { AddedNetworks } from '@/components/client/added-networks'
import { inter, mono } from '@/components/ui/font'
import { currentApp } from '@/server/app'
import { NONCE_HEADER } from '@/server/http/request'
import { addedNetworks } from '@/server/x402/networks/networks'
import '@/components/ui/globals.css'

/** The base of preview pictures is known only at run time. */
export async function generateMetadata(): Promise<Metadata> {
  return {
    metadataBase: new URL(currentApp().config.baseUrl),
    title: { default: 'Quittance', template: '%s · Quittance' },
    description:
      'A hosted x402 payment facilitator: verifies signed stablecoin payments, settles them on-chain and pays the gas.',
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#faf8f3' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1311' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Scripts need the nonce of their request, so no page can be prerendered.
  const nonce = (await headers()).get(NONCE_HEADER) ?? ''
  return (
    <html lang="en" className={`${inter.variable} ${mono.variable}`} suppressHydrationWarning>
      <head>
        {/* A page shows as a whole: a part of it would move once the rest arrives, because all rows decide how wide a column is. */}
        <link rel="expect" href={`#${END}`} blocking="render" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours */}
        <script suppressHydrationWarning nonce={nonce} dangerouslySetInnerHTML={{ __html: FIRST_SCRIPT }} />
      </head>
      <body>
        <AddedNetworks rows={addedNetworks()}>{children}</AddedNetworks>
        <span id={END} hidden />
      </body>
    </html>
  )
}

const END = 'page-end'

// Sets the theme before the first paint.
const THEME = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`
// Shows the programs in the reader's language before the first paint (components/ui/code/tab-list.tsx).
const CODE = `try{const c=localStorage.getItem('code');if(/^[a-z-]{1,20}$/.test(c))document.documentElement.dataset.code=c}catch{}`
// Dialogs inject a style and read its nonce from here.
const NONCE = 'globalThis.__webpack_nonce__=document.currentScript.nonce'
// The CSP forbids eval; zod would try it and cause a report.
const PARSER = 'globalThis.__zod_globalConfig={jitless:true}'

/** Runs before the first paint and any other script. */
const FIRST_SCRIPT = [THEME, CODE, NONCE, PARSER].join(';')
