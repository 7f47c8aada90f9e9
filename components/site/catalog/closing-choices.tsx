'use client'

import { useEffect } from 'react'

/** Closes the open choices of a page on Escape and on a press outside of them. Without scripts, their summary closes them. */
export function ClosingChoices() {
  useEffect(() => {
    const press = ({ target }: Event) => {
      for (const choices of openChoices()) if (!(target instanceof Node && choices.contains(target))) choices.open = false
    }
    const key = (event: KeyboardEvent) => {
      // The innermost one: on a phone a list stands in another.
      const choices = openChoices().at(-1)
      if (event.key !== 'Escape' || !choices) return
      choices.open = false
      choices.querySelector('summary')?.focus()
    }
    addEventListener('pointerdown', press)
    addEventListener('keydown', key)
    return () => {
      removeEventListener('pointerdown', press)
      removeEventListener('keydown', key)
    }
  }, [])
  return null
}

const openChoices = () => [...document.querySelectorAll<HTMLDetailsElement>('[data-choices][open]')]
