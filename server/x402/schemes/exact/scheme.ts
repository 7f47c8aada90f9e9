/** The scheme by which a payer transfers exactly the amount of the requirements. Its folder has its methods. */
export const EXACT = 'exact' as const

/** Whether requirements and payment both name the scheme. */
export const areExact = ({ scheme, claimed }: { scheme: string; claimed: { scheme: string } }): boolean =>
  scheme === EXACT && claimed.scheme === EXACT
