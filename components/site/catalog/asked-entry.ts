import { headers } from 'next/headers'
import { cache } from 'react'
import { currentApp } from '@/server/app'
import { catalogEntry } from '@/server/discovery/present'

/** The entry that a page is of. What a request shows of it reads it once. */
export const entryAt = cache(async (environment: string, url: string) =>
  catalogEntry(currentApp(), await headers(), { environment, url }),
)
