/** The choices that a browser keeps: the environment and the zone of all screens, and how each reader's list looks. */
export const rememberedNames = ['environment', 'zone', 'list-merchant', 'list-payer', 'list-agent', 'list-admin'] as const

export type RememberedName = (typeof rememberedNames)[number]

/** What a page's HTML is drawn with: the browser's choices, and the time in milliseconds. */
export type FirstView = { remembered: Partial<Record<RememberedName, string>>; now: number | null }
