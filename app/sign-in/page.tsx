import { Suspense } from 'react'
import { pageMetadata } from '@/app/metadata'
import { Providers } from '@/components/data/providers'
import { SIGN_IN_PITCH } from '@/components/pictures/cards'
import { SignIn } from '@/components/sign-in/sign-in'
import '../(app)/app.css'

export const metadata = pageMetadata({ title: 'Sign in', description: SIGN_IN_PITCH, path: '/sign-in' })

export default function SignInPage() {
  return (
    <Providers>
      <Suspense>
        <SignIn />
      </Suspense>
    </Providers>
  )
}
