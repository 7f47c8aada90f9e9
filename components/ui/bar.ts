/** The classes of the logo in a bar. Its picture has an empty margin. */
export const BAR_BRAND = '-ml-[0.3rem] phone:gap-[0.45rem]'

/** The classes of the navigation of a bar. The icon at its end has an empty margin. */
export const BAR_NAV =
  '-mr-2 flex flex-wrap items-center justify-end gap-x-[clamp(0.6rem,2.4vw,1.25rem)] gap-y-[0.4rem] text-[0.95rem] phone:flex-nowrap phone:gap-[0.45rem] phone:text-[0.88rem]'

/** The classes of a link in it. */
export const BAR_LINK = 'text-soft no-underline hover:text-ink'

/** The classes of a button in it that is an icon. */
export const ICON_BUTTON = 'grid size-9 place-items-center rounded-lg text-soft hover:bg-code hover:text-ink'
