import { Suspense } from 'react'
import { Providers } from '@/components/client/providers'
import { SignIn } from '@/components/screens/sign-in/sign-in'
import { SIGN_IN_PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'

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
