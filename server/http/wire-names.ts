type WireName<S extends string> = S extends `${infer Head}${infer Tail}`
  ? Tail extends Uncapitalize<Tail>
    ? `${Lowercase<Head>}${WireName<Tail>}`
    : `${Lowercase<Head>}_${WireName<Tail>}`
  : S

/** Fields under the names that they have in JSON: `createdAt` is `created_at`. */
export type WireNames<T> = { [K in keyof T as K extends string ? WireName<K> : never]: T[K] }

/** The same fields in snake case; fields of inner objects keep their names. */
export function wireNames<T extends object>(fields: T): WireNames<T> {
  const named = Object.entries(fields).map(([name, value]) => [name.replace(/[A-Z]/g, (big) => `_${big.toLowerCase()}`), value])
  // Each key is renamed as its type is.
  return Object.fromEntries(named) as WireNames<T>
}
