/** The classes of a payment: its picture is left of the steps on wide screens, and right of what it says first on a tablet. */
export const TRY =
  'grid grid-cols-1 gap-x-[clamp(1.6rem,4vw,3.5rem)] gap-y-[1.4rem] md:grid-cols-[minmax(0,1fr)_minmax(0,25rem)] min-[62rem]:grid-cols-[minmax(0,25rem)_minmax(0,1fr)] md:grid-rows-[auto_1fr]'

/** The classes of what it says first. */
export const SAY = 'grid justify-items-start gap-2 self-start'

/** The classes of a time beside the title of a step. */
export const TOOK = 'text-[0.85rem] font-normal tracking-normal whitespace-nowrap tabular-nums text-soft'
