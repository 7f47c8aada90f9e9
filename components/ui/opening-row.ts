import type { KeyboardEvent, MouseEvent } from 'react'

/** The parts of a row that have a use of their own. */
const OWN = 'a, button, input, select, label, summary'

/** The handlers of a row that opens as a whole. With Ctrl, Cmd or the middle button its link opens in a new tab. `near`: it may open soon. */
export function openingRow(open: () => void, href?: string, near?: () => void) {
  return {
    ...(near ? { onPointerEnter: near, onFocus: near } : {}),
    onClick(event: MouseEvent<HTMLElement>) {
      // A click that ends a selection of text opens nothing.
      if (isOwn(event) || getSelection()?.isCollapsed === false) return
      if (href && isElsewhere(event)) newTab(href)
      else open()
    },
    onAuxClick(event: MouseEvent<HTMLElement>) {
      if (href && event.button === 1 && !isOwn(event)) newTab(href)
    },
  }
}

/** The handlers of the link of such a row: a plain click, Enter and Space open it here. `near`: it may open soon. */
export function openingLink(open: () => void, href: string, near?: () => void) {
  return {
    href,
    ...(near ? { onPointerEnter: near, onFocus: near } : {}),
    onClick(event: MouseEvent<HTMLElement>) {
      if (isElsewhere(event)) return
      event.preventDefault()
      open()
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (event.key !== ' ' || event.repeat) return
      event.preventDefault()
      open()
    },
  }
}

const isOwn = ({ target, currentTarget }: MouseEvent<HTMLElement>): boolean => {
  // React also tells a row of clicks in its menus and dialogs, which lie elsewhere on the page.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return true
  const own = target.closest(OWN)
  return own !== null && currentTarget.contains(own)
}

const isElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean => ctrlKey || metaKey || shiftKey

const newTab = (href: string): void => void open(href, '_blank', 'noopener')
