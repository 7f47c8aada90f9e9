import localFont from 'next/font/local'

/** The Latin letters of Inter. Its page preloads them: they are there at the first paint or not at all, so that nothing moves. */
export const inter = localFont({
  src: '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  variable: '--inter',
  adjustFontFallback: false,
})

/** The Latin letters of programs and codes. No page waits for them: they are cached, or the system has such a font. */
export const mono = localFont({
  src: '../../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  variable: '--geist-mono',
  adjustFontFallback: false,
  preload: false,
})
