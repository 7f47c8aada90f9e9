'use client'

import { SunMoon } from 'lucide-react'

/** Toggles light and dark, and remembers the choice. */
export function toggleTheme(): void {
  const root = document.documentElement
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'light' : 'dark'
  localStorage.setItem('theme', root.dataset.theme)
}

/** A button that toggles the theme. */
export function ThemeSwitch() {
  return (
    <button
      type="button"
      onClick={toggleTheme}
      aria-label="Toggle theme"
      className="grid size-9 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink"
    >
      <SunMoon aria-hidden className="size-4" />
    </button>
  )
}
