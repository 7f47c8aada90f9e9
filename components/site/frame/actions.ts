/** The classes of a row of buttons and links. */
export const ACTIONS = 'flex flex-wrap items-center gap-x-[1.4rem] gap-y-3'
