import type { ReactNode } from 'react'
import { Providers } from '@/components/data/providers'
import { Shell } from '@/components/shell/shell'
import './app.css'

export default function AppLayout({ children }: { children: ReactNode }) {
  return (
    <Providers>
      <Shell>{children}</Shell>
    </Providers>
  )
}
