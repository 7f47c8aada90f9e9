'use client'

import { useEffect } from 'react'
import { newAddressOf } from './old-anchors'

/** Follows links to anchors of the former single page. Only the browser knows the anchor. */
export function OldLinks({ routes }: { routes: Readonly<Record<string, string>> }) {
  useEffect(() => {
    const follow = () => {
      const address = newAddressOf(location.hash.slice(1), routes)
      if (address) location.replace(address)
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [routes])
  return null
}
