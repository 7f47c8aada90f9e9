import { merchantPrograms, settleCommands } from '@/app/docs/programs/merchants'

/** The ways to charge for a route, each as a whole program, and the calls behind them by hand. */
export const programs = [...merchantPrograms, { name: 'curl', text: settleCommands }] as const
