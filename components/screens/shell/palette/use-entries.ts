'use client'

import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  BookOpen,
  CircleX,
  Command,
  History,
  KeyRound,
  LogOut,
  Plus,
  Search,
  SearchCheck,
  Send,
  Store,
  SunMoon,
} from 'lucide-react'
import { useMemo, useState } from 'react'
import { keyNameAmong } from '@/server/accounts/key-name'
import { readAddress, readTransaction } from '@/server/x402/addresses'
import { explainUrl } from '../../../client/explain/link'
import { keysQuery } from '../../../client/queries'
import { type Place, recent } from '../../../client/recent'
import { FRESH_MS } from '../../../client/refresh'
import { charges, LIVE_PAYMENT, leave, screensOf, TEST_PAYMENT, type Who } from '../../../client/screen-list'
import { useTRPC } from '../../../client/trpc'
import { worksInTest } from '../../../client/use-signed-wallet'
import { commandsNow } from '../../../ui/commands'
import { shortened } from '../../../ui/shortened'
import { toggleTheme } from '../../../ui/theme'
import type { LayerName } from '../layers'
import { BEHIND, type Entry, type Group } from './entry'
import { LISTS, readersOf, useFound } from './use-found'

/** All that the palette offers, in sections: what was opened last first, then screens, keys, actions, and what a query finds. */
export function useEntries(who: Who, show: (layer: LayerName) => void, query: string): Group[] {
  const trpc = useTRPC()
  const keys = useQuery({ ...keysQuery(trpc), enabled: charges(who), staleTime: FRESH_MS.account })
  const found = useFound(who, query)
  const [opened] = useState(() => recent.of(who.account))
  const groups = useMemo(() => {
    return [
      { title: 'Actions', entries: actionsOf(who) },
      { title: 'Go to', entries: screensFor(who) },
      { title: 'Public pages', entries: PUBLIC },
      { title: 'This screen', entries: commandEntries('screen ', false) },
      { title: 'API keys', entries: keyEntries(keys.data?.keys ?? []) },
      { title: 'This browser', entries: [...commandEntries(BEHIND.switches, true), ...browserActions(show)] },
    ]
  }, [who, show, keys.data])
  const sought = query.trim()
  const last = { title: 'Recent', entries: sought === '' ? opened.map(recentEntry) : [] }
  const searches = { title: 'Search', entries: searchesFor(who, sought) }
  return [last, searches, ...groups, ...found].filter(({ entries }) => entries.length > 0)
}

const recentEntry = (place: Place): Entry => ({ id: `recent ${place.href}`, icon: History, ...place })

/** The commands of this screen, or those that switch the mode of all screens. */
function commandEntries(prefix: string, switching: boolean): Entry[] {
  return commandsNow().flatMap(({ title, key, icon, run, switches = false }): Entry[] =>
    icon && switches === switching ? [{ id: `${prefix}${title}`, title, icon, run, ...(key ? { keys: [key] } : {}) }] : [],
  )
}

function screensFor(who: Who): Entry[] {
  const own = screensOf(who).flatMap(({ title: group, screens }) =>
    screens.map(({ href, title, icon, key }): Entry => ({ id: href, title, keywords: group, icon, keys: ['g', key], href })),
  )
  const failed = readersOf(who).map((reader): Entry => {
    const title = reader === 'payer' ? 'Failed payments' : reader === 'admin' ? 'All failed settlements' : 'Failed settlements'
    return {
      id: `failed ${reader}`,
      title,
      keywords: 'fail error refused why',
      icon: CircleX,
      href: `${LISTS[reader]}?status=failed`,
    }
  })
  return [...own, ...failed]
}

const PUBLIC: Entry[] = [
  { id: '/explain', title: 'Explain a payment', keywords: 'why failed debug header 402', icon: SearchCheck, href: '/explain' },
  { id: '/status', title: 'Status', keywords: 'uptime incidents networks health', icon: Activity, href: '/status' },
  { id: '/catalog', title: 'Catalog', keywords: 'discovery', icon: Store, href: '/catalog' },
  { id: '/docs', title: 'Documentation', keywords: 'docs help api reference', icon: BookOpen, href: '/docs' },
]

type Key = { id: string; name: string; revokedAt: string | null; secrets: readonly { prefix: string }[] }

function keyEntries(keys: readonly Key[]): Entry[] {
  const live = keys.filter(({ revokedAt }) => revokedAt === null)
  return live.map(({ id, name, secrets: [newest] }) => {
    const prefix = newest?.prefix ?? ''
    return { id, title: keyNameAmong({ id, name }), keywords: prefix, icon: KeyRound, href: `/dashboard/keys/${id}` }
  })
}

function actionsOf(who: Who): Entry[] {
  const merchant: Entry[] = [
    {
      id: 'new key',
      title: 'New API key',
      keywords: 'create add secret',
      icon: Plus,
      href: '/dashboard/keys?new=true',
      fleeting: true,
    },
    worksInTest(who.kind === 'wallet' ? who.name : null)
      ? {
          id: 'test payment',
          title: 'Send a test payment',
          keywords: 'try pay faucet',
          icon: Send,
          href: TEST_PAYMENT,
          fleeting: true,
        }
      : {
          id: 'payment',
          title: 'Make a payment',
          keywords: 'try pay test first',
          icon: Send,
          href: LIVE_PAYMENT,
          fleeting: true,
        },
    {
      id: 'new webhook',
      title: 'New webhook',
      keywords: 'create add endpoint',
      icon: Plus,
      href: '/dashboard/webhooks?new=true',
      fleeting: true,
    },
  ]
  const wallet: Entry[] = [
    { id: 'buy', title: 'Buy credits', keywords: 'top up', icon: Plus, href: '/agent?buy=true', fleeting: true },
  ]
  return [...(charges(who) ? merchant : []), ...(who.kind === 'wallet' ? wallet : [])]
}

function browserActions(show: (layer: LayerName) => void): Entry[] {
  return [
    { id: 'theme', title: 'Toggle theme', keywords: 'light dark appearance', icon: SunMoon, run: toggleTheme },
    { id: 'keys', title: 'Keyboard shortcuts', keywords: 'help', icon: Command, keys: ['?'], run: () => show('keys') },
    { id: 'out', title: 'Sign out', keywords: 'log out leave', icon: LogOut, run: () => void leave() },
  ]
}

/** The lists in which this account can look for a transaction or an address, and the explanation of what was pasted. */
function searchesFor(who: Who, query: string): Entry[] {
  const isTransaction = readTransaction(query) !== null
  const isAddress = !isTransaction && readAddress(query) !== null
  const what = isTransaction ? 'transaction' : 'address'
  const lists = screensOf(who)
    .flatMap(({ screens }) => screens)
    .filter(({ href }) => (isTransaction || isAddress) && PATHS.has(href))
    .map(({ href, title: list }): Entry => {
      const title = `Find the ${what} ${shortened(query)} in ${list}`
      return { id: `find ${href}`, title, keywords: query, icon: Search, href: `${href}?search=${encodeURIComponent(query)}` }
    })
  if (!isTransaction && !EXPLAINED.test(query)) return lists
  return [
    ...lists,
    {
      id: 'explain',
      title: 'Explain what you pasted',
      keywords: query,
      icon: SearchCheck,
      href: explainUrl(query),
      fleeting: true,
    },
  ]
}

const PATHS: ReadonlySet<string> = new Set(Object.values(LISTS))

// The id of a settlement, a payment header, or JSON.
const EXPLAINED = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|e[yw][\w+/=-]{20,}|\{[\s\S]{20,}|(x-)?payment[\w-]*:\s*\S+)$/i
