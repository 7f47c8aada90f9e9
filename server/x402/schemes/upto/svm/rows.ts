import type { SchemeRow } from '../../scheme-row'
import { UPTO } from '../scheme'
import { readUptoSvm } from './read'

/** The scheme on Solana. */
export const uptoSvm = { scheme: UPTO, family: 'svm', versions: [2], read: readUptoSvm } as const satisfies SchemeRow
