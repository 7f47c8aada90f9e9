const NAME = 'single-keys'

/** Whether single letters do something in this browser: who dictates, or rests a hand on the keys, switches them off (WCAG 2.1.4). */
export const singleKeys = {
  areOn: (): boolean => localStorage.getItem(NAME) !== 'off',
  turn: (on: boolean): void => (on ? localStorage.removeItem(NAME) : localStorage.setItem(NAME, 'off')),
}
