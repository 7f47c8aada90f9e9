import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { THEME_SCRIPT } from '@/components/shell/theme-script'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Quittance', template: '%s · Quittance' },
  description:
    'A hosted x402 payment facilitator: verifies signed stablecoin payments and settles them on chain, paying the gas.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#faf8f3' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1311' },
  ],
}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours */}
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body>{children}</body>
    </html>
  )
}
