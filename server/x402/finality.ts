/**
 * How certain a successful payment is (docs/finality.md): preconfirmed by the sequencer; in a block; so deep in the chain that we stop
 * watching it; or in a block that the network itself finalized.
 */
export const finalities = ['preconfirmed', 'included', 'safe', 'finalized'] as const

export type Finality = (typeof finalities)[number]
