'use client'

import { useQueries, useQuery } from '@tanstack/react-query'
import { BookOpen, CircleX, Compass, type LucideIcon, ReceiptText, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { keyNameAmong } from '@/server/accounts/key-name'
import type { Shown } from '@/server/history/present'
import { type Environment, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { reasonGroups } from '@/server/x402/reasons/titles'
import { type Found, find } from '../../../client/docs-find'
import type { ReaderName } from '../../../client/filter-parsers'
import { FRESH_MS } from '../../../client/refresh'
import { charges, type Who } from '../../../client/screen-list'
import { useTRPC } from '../../../client/trpc'
import { useEnvironment } from '../../../client/use-environment'
import { useZone } from '../../../client/zone'
import { shortDate } from '../../../ui/dates'
import { amountText } from '../../../ui/figures'
import { countedText } from '../../../ui/list-summary'
import { partsOf } from '../../../ui/resource-name'
import { BEHIND, type Entry, type Group } from './entry'

const LEAST = 2
const PAUSE_MS = 200
const DOCS_MAX = 4
const REASONS_MAX = 3
const TENANTS_MAX = 5

/** Where each reader has its settlements. */
export const LISTS = {
  merchant: '/dashboard/settlements',
  payer: '/payments',
  agent: '/agent/settlements',
  admin: '/console/history',
} as const satisfies Record<ReaderName, string>

/** The roles in which an account looks for settlements. */
export function readersOf(who: Who): Exclude<ReaderName, 'agent'>[] {
  return [
    ...(charges(who) ? (['merchant'] as const) : []),
    ...(who.kind === 'wallet' ? (['payer'] as const) : []),
    ...(who.admin ? (['admin'] as const) : []),
  ]
}

/** What the server, the documentation and the reasons have for some letters. Asks after a pause in typing. */
export function useFound(who: Who, query: string): Group[] {
  const trpc = useTRPC()
  const zone = useZone()
  const { environment } = useEnvironment()
  const sought = usePaused(query.trim())
  const enabled = sought.length >= LEAST
  const readers = readersOf(who)
  const settled = useQueries({
    queries: readers.map((reader) => {
      const input = { reader, search: sought, ...(environment && reader !== 'payer' ? { environment } : {}) }
      return { ...trpc.settlements.find.queryOptions(input, { staleTime: FRESH_MS.usual }), enabled }
    }),
  })
  const tenants = useQuery({ ...trpc.admin.tenants.queryOptions({ search: sought }), enabled: enabled && who.admin })
  const docs = useQuery({
    queryKey: ['docs-search'],
    queryFn: readDocs,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [reader] = readers
  const failures = useQuery({
    ...trpc.settlements.choices.queryOptions(
      { reader: reader ?? 'merchant', of: 'reason', status: 'failed', ...inEnvironment(environment) },
      { staleTime: FRESH_MS.usual },
    ),
    enabled: enabled && reader !== undefined,
  })
  if (!enabled) return []
  const found = (id: string, icon: LucideIcon, rest: Omit<Entry, 'id' | 'icon'>): Entry => {
    return { id: `${BEHIND.found}${id}`, icon, keywords: query, ...rest }
  }
  const answers = readers.map((reader, at) => ({ reader, data: settled[at]?.data }))
  const seen = new Set<string>()
  const isNew = ({ id }: { id: string }) => !seen.has(id) && seen.add(id)
  const settlements = answers.flatMap(({ reader, data }) =>
    (data?.settlements ?? []).filter(isNew).map((row) => {
      const query = new URLSearchParams({ environment: pastEnvironmentOf(row.network), id: row.id })
      const about = [
        nameOf(row),
        row.success ? 'Settled' : (row.reasonTitle ?? 'Failed'),
        shortDate(new Date(row.createdAt), zone),
      ]
      const title = `${amountText(row.amount, row.decimals)} ${row.asset}`
      return found(row.id, ReceiptText, { title, about: about.join(' · '), href: `${LISTS[reader]}?${query}` })
    }),
  )
  const resources = answers.flatMap(({ reader, data }) =>
    (data?.resources ?? []).map((url) => {
      const { host, path } = partsOf(url)
      const query = new URLSearchParams({ ...inEnvironment(environment), resource: url })
      return found(`${reader} ${url}`, Compass, { title: path, about: host, href: `${LISTS[reader]}?${query}` })
    }),
  )
  return [
    {
      title: 'Reasons',
      entries: reasonsFor({ reader, sought, environment, own: failures.data?.options ?? [] }).map((entry) => ({
        ...entry,
        keywords: query,
      })),
    },
    { title: 'Settlements', entries: settlements },
    { title: 'Resources', entries: resources },
    {
      title: 'Tenants',
      entries: (tenants.data?.tenants ?? []).slice(0, TENANTS_MAX).map(({ id, name, ownerId, plan }) => {
        return found(id, Users, {
          title: keyNameAmong({ id, name }),
          about: `${ownerId} · ${plan}`,
          href: `/console/tenants/${id}`,
        })
      }),
    },
    {
      title: 'Documentation',
      entries: find(docs.data ?? [], sought)
        .slice(0, DOCS_MAX)
        .map(({ title, page, href, about }) => found(`${href} ${title}`, BookOpen, { title, about: about ?? page, href })),
    },
  ]
}

const inEnvironment = (environment: Environment | undefined) => (environment ? { environment } : {})

function nameOf({ resourceName, resource }: Pick<Shown, 'resourceName' | 'resource'>): string {
  const { host, path } = partsOf(resource)
  // Its row has no room for both.
  return resourceName ?? ((path === '/' ? host : path) || 'Unnamed resource')
}

type ReasonsAsked = {
  reader: keyof typeof LISTS | undefined
  sought: string
  environment: Environment | undefined
  /** The reasons of the account's own failures. */
  own: readonly { name: string; count: number }[]
}

/** A word for all failures: each reason of the account's own is one. */
const ANY_FAILURE = /^fail(s|ed|ure|ures)?$/

/** The settlements that failed for reasons with these letters in their title or code, the account's most common ones first. */
function reasonsFor({ reader, sought, environment, own }: ReasonsAsked): Entry[] {
  if (reader === undefined) return []
  const part = sought.toLowerCase()
  const countOf = (title: string) => own.find(({ name }) => name === title)?.count ?? 0
  return reasonGroups
    .filter(
      ({ title, codes }) =>
        title.toLowerCase().includes(part) ||
        codes.some((code) => code.includes(part)) ||
        (ANY_FAILURE.test(part) && countOf(title) > 0),
    )
    .toSorted((one, other) => countOf(other.title) - countOf(one.title))
    .slice(0, REASONS_MAX)
    .map(({ title, codes }): Entry => {
      const query = new URLSearchParams({ ...inEnvironment(environment), status: 'failed', reason: codes.join(',') })
      const href = `${LISTS[reader]}?${query}`
      return { id: `${BEHIND.found}reason ${title}`, title, about: aboutOf(countOf(title)), icon: CircleX, href }
    })
}

const aboutOf = (count: number): string =>
  count === 0 ? 'Payments that failed for this reason' : `${countedText(count, 'payment')} failed for this reason`

async function readDocs(): Promise<Found[]> {
  const response = await fetch('/docs/search.json')
  if (!response.ok) throw new Error(`the search index answered ${response.status}`)
  return response.json()
}

/** A text once it stayed the same for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setPaused, PAUSE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
