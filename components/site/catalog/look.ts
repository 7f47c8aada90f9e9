import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'

// As round as the fields beside them.
const ROUND = 'rounded-[10px]!'

/** The classes of buttons: of the next step, of another way, and of the pages of a list. */
export const BUTTON = {
  primary: cx(buttonClass({ look: 'primary', size: 'large' }), ROUND),
  plain: cx(buttonClass({ size: 'large' }), ROUND),
  page: cx(buttonClass({ size: 'medium' }), ROUND, 'text-[0.85rem]! font-semibold phone:px-[0.9rem]!'),
} as const

/** The classes of the lead of a page, which may be the text of a stranger. */
export const LEAD = 'text-[1.05rem] leading-[1.55] wrap-anywhere text-soft'

/** The classes of a note below a part. */
export const NOTE = 'text-[0.85rem] text-soft'

/** The classes of a table, of a cell of its head, and of a row, which has the looks of its cells: a page has hundreds. */
export const TABLE = {
  whole: 'w-full border-separate border-spacing-0 overflow-hidden frame text-[0.9rem] leading-normal',
  head: 'px-[0.7rem] py-[0.6rem] text-[0.8rem] font-medium whitespace-nowrap text-soft first:pl-[1.1rem] last:pr-[1.1rem]',
  row: '*:border-t *:px-[0.7rem] *:py-[0.6rem] *:first:pl-[1.1rem] *:last:pr-[1.1rem]',
} as const

/** The classes of a part of the page of a resource, and of its title. */
export const PART = 'grid gap-[0.8rem]'
export const PART_TITLE = 'text-[1.15rem]'
