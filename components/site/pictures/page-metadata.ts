import type { Metadata } from 'next'
import { pictureUrl } from './cards'

type Page = { title: string; description: string; path: string }

/** Titles and the preview picture of a public page, for search engines and for links in chats. */
export function pageMetadata({ title, description, path }: Page, picture: string = pictureUrl(path)): Metadata {
  const shown = { title, description, url: path, siteName: 'Quittance', type: 'website' } as const
  return {
    title,
    description,
    alternates: { canonical: path },
    openGraph: { ...shown, images: [{ url: picture, width: 1200, height: 630, alt: `${title} · Quittance` }] },
    twitter: { card: 'summary_large_image', title, description, images: [picture] },
  }
}
