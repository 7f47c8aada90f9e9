import { merchantPrograms, settleCommands } from '@/app/docs/programs/merchants'

/** Complete programs that charge for a route, and the same calls with curl. */
export const programs = [...merchantPrograms, { name: 'curl', text: settleCommands }] as const
