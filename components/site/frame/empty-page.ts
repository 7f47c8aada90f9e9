/** The classes of a page that says what it lacks. */
export const EMPTY_PAGE = 'grid max-w-[42rem] min-h-[60vh] content-center justify-items-start gap-4'

/** The classes of its title. */
export const EMPTY_TITLE = 'text-[clamp(2rem,1.5rem+2.2vw,3rem)]'

/** The classes of what it says below that. */
export const LEAD = 'text-[clamp(1.1rem,1rem+0.5vw,1.3rem)] leading-[1.55] text-soft'
