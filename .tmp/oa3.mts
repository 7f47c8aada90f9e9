import * as s from '../server/payments/channels/schemas'
import { z } from 'zod'
const j = z.toJSONSchema(s.writtenChannel as any, {io:'input', unrepresentable:'any'}) as any
for (const [k,v] of Object.entries(j.properties)) console.log(k, JSON.stringify(v).slice(0,300))
