import type { FigureName } from './figure'

/** The classes of the row of figures: the volume is its headline, with more room than the others. */
export const FIGURE_CELLS = 'grid min-w-0 grid-cols-2 border-b md:grid-cols-4 xl:grid-cols-[1.8fr_repeat(4,minmax(0,1fr))]'

const CELL = 'grid min-w-0 content-start gap-1 px-4 py-3.5'
const HEADLINE = 'max-xl:col-span-full'

/** The classes of a figure in it. */
export const figureCell = (name: FigureName): string => (name === 'volume' ? `${CELL} ${HEADLINE}` : CELL)

/** The classes of its value. Those beside the headline end on its line. */
export const figureValue = (name: FigureName): string =>
  `font-semibold wrap-anywhere tabular-nums ${name === 'volume' ? 'text-[2.1rem] leading-none tracking-[-0.03em]' : 'text-xl leading-tight tracking-tight xl:flex xl:min-h-[2.1rem] xl:items-end'}`
