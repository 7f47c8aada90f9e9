import * as s from '../server/payments/channels/schemas'
import { z } from 'zod'
for (const [n, one] of Object.entries(s)) { try { console.log(n, JSON.stringify(z.toJSONSchema(one as any, {io:'input', unrepresentable:'any'})).slice(0,900)) } catch (e) { console.log(n, String(e)) } }
