'use client'

import { useSyncExternalStore } from 'react'
import { ICON_BUTTON } from './bar'

const CHANGED = 'themechange'

/** Toggles light and dark, and remembers the choice. */
export function toggleTheme(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = theme
  localStorage.setItem('theme', theme)
  dispatchEvent(new Event(CHANGED))
}

/** The theme that shows now, also after a change. */
export function useTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, currentTheme, () => 'light')
}

function currentTheme(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return matchMedia(DARK).matches ? 'dark' : 'light'
}

const DARK = '(prefers-color-scheme: dark)'

function subscribe(changed: () => void): () => void {
  const system = matchMedia(DARK)
  addEventListener(CHANGED, changed)
  system.addEventListener('change', changed)
  return () => {
    removeEventListener(CHANGED, changed)
    system.removeEventListener('change', changed)
  }
}

/** A button that toggles the theme. */
export function ThemeSwitch() {
  return (
    <button type="button" onClick={toggleTheme} aria-label="Toggle theme" className={ICON_BUTTON}>
      <Contrast />
    </button>
  )
}

// Drawn here: the page for missing addresses, which every page brings along, loads no icon library.
function Contrast() {
  return (
    <svg aria-hidden="true" width="16" height="16" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2">
      <circle cx="12" cy="12" r="9" />
      <path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor" />
    </svg>
  )
}
