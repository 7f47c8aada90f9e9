import type { z } from 'zod'
import { endpoints } from '../../../server/endpoints'
import { root } from '../../../server/trpc/router'

/** The schemas of an object's fields, of every object below it too. */
function fieldsIn(schema: z.ZodType | null | undefined): z.ZodType[] {
  const shape: unknown = schema && Reflect.get(schema, 'shape')
  if (typeof shape !== 'object' || shape === null) return schema ? [schema] : []
  return Object.values(shape).flatMap((inner: z.ZodType) => fieldsIn(inner))
}

/** The schema of each parameter of the routes: of path, query, headers and body. */
export function fieldsOfRoutes(): z.ZodType[] {
  return [...new Set(endpoints.flatMap(({ params, query, headers, body }) => [params, query, headers, body].flatMap(fieldsIn)))]
}

/** The schema of each field of the procedures' inputs. */
export function fieldsOfProcedures(): z.ZodType[] {
  const schemas = Object.values(root._def.procedures).flatMap((procedure) => {
    // A procedure keeps the schemas of its inputs so.
    const inputs: unknown = Reflect.get(Object(Reflect.get(Object(procedure), '_def')), 'inputs')
    return Array.isArray(inputs) ? inputs.flatMap(fieldsIn) : []
  })
  return [...new Set(schemas)]
}
