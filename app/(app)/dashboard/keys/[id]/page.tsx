import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { KeyScreen } from '@/components/screens/keys/key-screen'
import { keyChangesQuery, keyQuery, keySumsQuery, oneKeyActivityQuery } from '@/components/screens/keys/queries'

export const metadata: Metadata = { title: 'API key' }

export default async function KeyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <Prefetched
      first={(trpc) => [keyQuery(trpc, id), keyChangesQuery(trpc, id)]}
      inView={(trpc, { environment }) => [oneKeyActivityQuery(trpc, id, environment), keySumsQuery(trpc, id, environment)]}
    >
      <KeyScreen id={id} />
    </Prefetched>
  )
}
