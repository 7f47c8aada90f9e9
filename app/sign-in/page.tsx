import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Providers } from '@/components/data/providers'
import { SignIn } from '@/components/sign-in/sign-in'
import '../(app)/app.css'

export const metadata: Metadata = { title: 'Sign in' }

export default function SignInPage() {
  return (
    <Providers>
      <Suspense>
        <SignIn />
      </Suspense>
    </Providers>
  )
}
