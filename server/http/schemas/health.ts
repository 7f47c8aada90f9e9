import { z } from 'zod'
import { component } from './component'

/** SPEC "Health response". */
export const health = component('Health', z.strictObject({ status: z.literal('ok') }).describe('The process answers.'))
