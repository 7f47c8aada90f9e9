/** The classes of a page that says what it lacks. */
export const EMPTY_PAGE =
  'grid grid-cols-1 [&>p]:max-w-[min(100%,42rem)] min-h-[60vh] w-full content-start justify-items-start gap-4 py-[clamp(1.6rem,5vw,4rem)]'

/** The classes of its title. */
export const EMPTY_TITLE = 'text-[clamp(2rem,1.5rem+2.2vw,3rem)]'

/** The classes of what it says below that. */
export const LEAD = 'text-[clamp(1.1rem,1rem+0.5vw,1.3rem)] leading-[1.55] text-soft'

/** The classes of a list of other pages. */
export const CHOICES = 'grid w-full grid-cols-[repeat(auto-fit,minmax(min(100%,16rem),1fr))] gap-3 pt-[0.6rem]'

/** The classes of a link in it, with the name of its page in bold. */
export const CHOICE =
  'grid content-start gap-[0.1rem] rounded-[10px] border bg-card px-4 py-[0.8rem] text-[0.92rem] text-pretty text-soft no-underline hover:border-accent [&>strong]:text-[1rem] [&>strong]:text-ink'
