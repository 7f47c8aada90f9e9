import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The shell has no windows, and needs less CPU time.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The program of a Chromium on the PATH; undefined where there is none. */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}
