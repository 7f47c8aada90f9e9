/** The pictures have one font of one weight: a line around its letters makes them bold. */
export const bold = (color: string, size: number) => ({
  WebkitTextStroke: `${Math.round(size / 2.8) / 10}px ${color}`,
})
