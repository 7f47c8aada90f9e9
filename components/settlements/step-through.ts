/** Puts the focus on the row after or before the one that has it; on the first when none has. */
export function stepThrough(list: HTMLElement | null, by: 1 | -1): void {
  // Of table and cards one is seen.
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-opens]') ?? [])].filter((one) => one.checkVisibility())
  const at = rows.findIndex((one) => one.closest('tr, li')?.contains(document.activeElement))
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus()
}
