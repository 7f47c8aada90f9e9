'use client'

import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { signOut } from 'next-auth/react'
import { useMemo } from 'react'
import { readAddress, readTransaction } from '@/server/x402/addresses'
import { useTRPC } from '../data/trpc'
import { commandsNow } from '../shell/commands'
import { placesOf, type Who } from '../shell/places'
import { turnTheme } from '../shell/theme'
import type { LayerName } from '../shell/use-keyboard'
import { shortened } from '../ui/copyable'
import { Command, Compass, type Icon, KeyRound, LogOut, Plus, ReceiptText, Search, SunMoon } from '../ui/icons'
import { findIn } from './matching'

/** One line of the palette. `keys` are those that do the same without it. */
export type Entry = {
  id: string
  group: 'Find' | 'This screen' | 'Go to' | 'API keys' | 'Do'
  title: string
  also?: string
  icon: Icon
  keys?: readonly string[]
  run: () => void
}

/** What the palette offers for a written text: everything for none, the best first otherwise. */
export function useEntries(who: Who, show: (layer: LayerName) => void, written: string): Entry[] {
  const router = useRouter()
  const trpc = useTRPC()
  const keys = useQuery(trpc.keys.list.queryOptions(undefined, { enabled: who.kind === 'merchant', staleTime: 60_000 }))
  const standing = useMemo(() => {
    const go = (href: string) => () => router.push(href)
    return [...ofScreen(), ...placesFor(who, go), ...keysIn(keys.data?.keys ?? [], go), ...deedsOf(who, go, show)]
  }, [who, router, show, keys.data])
  const sought = written.trim()
  return [...searchesFor(who, sought, router.push), ...findIn(standing, sought)]
}

type Go = (href: string) => () => void

function ofScreen(): Entry[] {
  return commandsNow().flatMap(({ title, key, icon, run }): Entry[] =>
    icon ? [{ id: `screen ${title}`, group: 'This screen', title, icon, run, ...(key ? { keys: [key] } : {}) }] : [],
  )
}

function placesFor(who: Who, go: Go): Entry[] {
  const own = placesOf(who).flatMap(({ title: of, places }) =>
    places.map(({ href, title, icon, key }): Entry => {
      return { id: href, group: 'Go to', title, also: `${of} ${title}`, icon, keys: ['g', key], run: go(href) }
    }),
  )
  // Pages of everybody have a frame of their own.
  const leave = (href: string) => () => location.assign(href)
  return [
    ...own,
    { id: '/catalog', group: 'Go to', title: 'Catalog', also: 'discovery', icon: Compass, run: leave('/catalog') },
    { id: '/docs', group: 'Go to', title: 'API reference', also: 'docs help', icon: ReceiptText, run: leave('/docs') },
  ]
}

type Key = { id: string; name: string; revokedAt: string | null; secrets: readonly { prefix: string }[] }

function keysIn(keys: readonly Key[], go: Go): Entry[] {
  const live = keys.filter(({ revokedAt }) => revokedAt === null)
  return live.map(({ id, name, secrets: [newest] }) => {
    const title = name || newest?.prefix || id
    return { id, group: 'API keys', title, also: newest?.prefix ?? '', icon: KeyRound, run: go(`/dashboard/keys?key=${id}`) }
  })
}

function deedsOf(who: Who, go: Go, show: (layer: LayerName) => void): Entry[] {
  const group = 'Do'
  return [
    ...(who.kind === 'merchant'
      ? [
          {
            id: 'new key',
            group,
            title: 'New API key',
            also: 'create make',
            icon: Plus,
            run: go('/dashboard/keys?new=true'),
          } as const,
          {
            id: 'new webhook',
            group,
            title: 'New webhook',
            also: 'create make add endpoint',
            icon: Plus,
            run: go('/dashboard/webhooks?new=true'),
          } as const,
        ]
      : []),
    ...(who.kind === 'wallet'
      ? [{ id: 'buy', group, title: 'Buy credits', also: 'top up', icon: Plus, run: go('/agent?buy=true') } as const]
      : []),
    { id: 'theme', group, title: 'Light or dark', also: 'theme appearance', icon: SunMoon, run: turnTheme },
    { id: 'keys', group, title: 'Keyboard shortcuts', also: 'help', icon: Command, keys: ['?'], run: () => show('keys') },
    {
      id: 'out',
      group,
      title: 'Sign out',
      also: 'log out leave',
      icon: LogOut,
      run: () => void signOut({ callbackUrl: '/home' }),
    },
  ]
}

/** The lists of settlements in which somebody can look for a transaction or an address. */
function searchesFor(who: Who, sought: string, push: (href: string) => void): Entry[] {
  if (readTransaction(sought) === null && readAddress(sought) === null) return []
  const what = readTransaction(sought) === null ? 'address' : 'transaction'
  return placesOf(who).flatMap(({ places }) =>
    places.flatMap(({ href, title }) => {
      const run = () => push(`${href}?search=${encodeURIComponent(sought)}`)
      const words = `Find the ${what} ${shortened(sought)} in ${title}`
      return LISTS.has(href) ? [{ id: `find ${href}`, group: 'Find', title: words, icon: Search, run } as const] : []
    }),
  )
}

const LISTS: ReadonlySet<string> = new Set(['/dashboard/settlements', '/payments', '/agent/settlements', '/console/history'])
