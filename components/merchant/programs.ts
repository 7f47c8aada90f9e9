import { merchantPrograms, settleCommands } from '@/server/http/guide/merchants'

/** The ways to charge for a route, each as a whole program, and the calls behind them by hand. */
export const programs = [...merchantPrograms, { name: 'curl', text: settleCommands }] as const
