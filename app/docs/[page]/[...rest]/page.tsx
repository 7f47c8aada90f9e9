import type { Metadata } from 'next'
import { notFound } from 'next/navigation'

export const metadata: Metadata = { title: 'Not found' }

/** Deeper paths have no pages. Without this route they would not have the menu of the documentation. */
export default function NoPage(): never {
  notFound()
}
