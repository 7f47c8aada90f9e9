/** The classes of a section of the status page. */
export const SECTION = 'grid border-t gap-[1.1rem] py-[clamp(1.4rem,3vw,2.2rem)]'

/** The classes of its title. */
export const SECTION_TITLE = 'flex flex-wrap items-center gap-x-[0.7rem] gap-y-[0.4rem] text-[1.35rem]'
