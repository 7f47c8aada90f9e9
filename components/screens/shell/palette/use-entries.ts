'use client'

import { useQuery } from '@tanstack/react-query'
import { Command, Compass, KeyRound, LogOut, type LucideIcon, Plus, ReceiptText, Search, Send, SunMoon } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { readAddress, readTransaction } from '@/server/x402/addresses'
import { keysQuery } from '../../../client/queries'
import { FRESH_MS } from '../../../client/refresh'
import { charges, LIVE_PAYMENT, leave, screensOf, TEST_PAYMENT, type Who } from '../../../client/screen-list'
import { useTRPC } from '../../../client/trpc'
import { worksInTest } from '../../../client/use-signed-wallet'
import { commandsNow } from '../../../ui/commands'
import { shortened } from '../../../ui/copyable'
import { toggleTheme } from '../../../ui/theme'
import type { LayerName } from '../layers'

/** One line of the palette. `keywords` find it and stay hidden; `keys` are the shortcut that does the same. */
export type Entry = {
  id: string
  title: string
  keywords?: string
  icon: LucideIcon
  keys?: readonly string[]
  run: () => void
}

export type Group = { title: string; entries: Entry[] }

/** All that the palette offers, in sections; a pasted transaction or address adds the lists to search. */
export function useEntries(who: Who, show: (layer: LayerName) => void, query: string): Group[] {
  const router = useRouter()
  const trpc = useTRPC()
  const keys = useQuery({ ...keysQuery(trpc), enabled: charges(who), staleTime: FRESH_MS.account })
  const groups = useMemo(() => {
    const go = (href: string) => () => router.push(href)
    return [
      { title: 'This screen', entries: screenCommands() },
      { title: 'Go to', entries: screensFor(who, go) },
      { title: 'API keys', entries: keyEntries(keys.data?.keys ?? [], go) },
      { title: 'Actions', entries: actionsOf(who, go, show) },
    ]
  }, [who, router, show, keys.data])
  const searches = { title: 'Search', entries: searchesFor(who, query.trim(), router.push) }
  return [searches, ...groups].filter(({ entries }) => entries.length > 0)
}

type Go = (href: string) => () => void

function screenCommands(): Entry[] {
  return commandsNow().flatMap(({ title, key, icon, run }): Entry[] =>
    icon ? [{ id: `screen ${title}`, title, icon, run, ...(key ? { keys: [key] } : {}) }] : [],
  )
}

function screensFor(who: Who, go: Go): Entry[] {
  const own = screensOf(who).flatMap(({ title: group, screens }) =>
    screens.map(({ href, title, icon, key }): Entry => {
      return { id: href, title, keywords: group, icon, keys: ['g', key], run: go(href) }
    }),
  )
  // Public pages have another layout, so they load in full.
  const load = (href: string) => () => location.assign(href)
  return [
    ...own,
    { id: '/catalog', title: 'Catalog', keywords: 'discovery', icon: Compass, run: load('/catalog') },
    { id: '/docs', title: 'Documentation', keywords: 'docs help api reference', icon: ReceiptText, run: load('/docs') },
  ]
}

type Key = { id: string; name: string; revokedAt: string | null; secrets: readonly { prefix: string }[] }

function keyEntries(keys: readonly Key[], go: Go): Entry[] {
  const live = keys.filter(({ revokedAt }) => revokedAt === null)
  return live.map(({ id, name, secrets: [newest] }) => {
    const title = name || newest?.prefix || id
    return { id, title, keywords: newest?.prefix ?? '', icon: KeyRound, run: go(`/dashboard/keys?key=${id}`) }
  })
}

function actionsOf(who: Who, go: Go, show: (layer: LayerName) => void): Entry[] {
  const merchant: Entry[] = [
    { id: 'new key', title: 'New API key', keywords: 'create add secret', icon: Plus, run: go('/dashboard/keys?new=true') },
    worksInTest(who.kind === 'wallet' ? who.name : null)
      ? { id: 'test payment', title: 'Send a test payment', keywords: 'try pay faucet', icon: Send, run: go(TEST_PAYMENT) }
      : { id: 'payment', title: 'Make a payment', keywords: 'try pay test first', icon: Send, run: go(LIVE_PAYMENT) },
    {
      id: 'new webhook',
      title: 'New webhook',
      keywords: 'create add endpoint',
      icon: Plus,
      run: go('/dashboard/webhooks?new=true'),
    },
  ]
  const wallet: Entry[] = [{ id: 'buy', title: 'Buy credits', keywords: 'top up', icon: Plus, run: go('/agent?buy=true') }]
  return [
    ...(charges(who) ? merchant : []),
    ...(who.kind === 'wallet' ? wallet : []),
    { id: 'theme', title: 'Toggle theme', keywords: 'light dark appearance', icon: SunMoon, run: toggleTheme },
    { id: 'keys', title: 'Keyboard shortcuts', keywords: 'help', icon: Command, keys: ['?'], run: () => show('keys') },
    { id: 'out', title: 'Sign out', keywords: 'log out leave', icon: LogOut, run: () => void leave() },
  ]
}

/** The lists of settlements in which this account can look for a transaction or an address. */
function searchesFor(who: Who, query: string, push: (href: string) => void): Entry[] {
  if (readTransaction(query) === null && readAddress(query) === null) return []
  const what = readTransaction(query) === null ? 'address' : 'transaction'
  return screensOf(who).flatMap(({ screens }) =>
    screens.flatMap(({ href, title: list }): Entry[] => {
      if (!LISTS.has(href)) return []
      const run = () => push(`${href}?search=${encodeURIComponent(query)}`)
      const title = `Find the ${what} ${shortened(query)} in ${list}`
      return [{ id: `find ${href}`, title, keywords: query, icon: Search, run }]
    }),
  )
}

const LISTS: ReadonlySet<string> = new Set(['/dashboard/settlements', '/payments', '/agent/settlements', '/console/history'])
