import { Prisma } from '../../generated/prisma/client'
import { storedAddress } from '../x402/addresses'

/** An owner of one of several kinds, by its id in any spelling. */
export type OwnerFilter = { kinds: readonly string[]; id: string }

/** The owners that a filter means. A wallet's address has one stored spelling, a subject of the identity provider stays as it is. */
export function ownersOf({ kinds, id }: OwnerFilter): { kind: string; id: string }[] {
  return kinds.map((kind) => ({ kind, id: kind === 'wallet' ? storedAddress(id) : id }))
}

/** What holds for the rows of each such owner: one condition per kind, so that each can use an index in its order. */
export function ownershipsOf(filter: OwnerFilter): Prisma.Sql[] {
  return ownersOf(filter).map(({ kind, id }) => Prisma.sql`"ownerKind" = ${kind} AND "ownerId" = ${id}`)
}
