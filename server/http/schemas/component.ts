import { z } from 'zod'

/** The schemas that `/openapi.json` names and refers to. One of our own: Next's bundles would name them a second time in zod's. */
export const components = z.registry<{ id: string }>()

/** A schema under the name that the document has for it. Describe it before: a described schema is another one. */
export function component<T extends z.ZodType>(id: string, schema: T): T {
  components.add(schema, { id })
  return schema
}
