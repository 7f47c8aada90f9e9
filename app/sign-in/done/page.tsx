import type { Metadata } from 'next'
import { SignedIn } from '@/components/screens/sign-in/signed-in'

export const metadata: Metadata = { title: 'Signed in', robots: { index: false } }

/** Where a sign-in in a window of its own ends. */
export default function SignedInPage() {
  return <SignedIn />
}
