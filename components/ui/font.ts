import localFont from 'next/font/local'

/** The Latin letters of Inter. Its page preloads them: they are there at the first paint or not at all, so that nothing moves. */
export const inter = localFont({
  src: '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  variable: '--inter',
  adjustFontFallback: false,
})
