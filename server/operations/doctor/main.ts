import { printReport } from './doctor'

// Open sockets must not delay the exit.
process.exit((await printReport()) ? 0 : 1)
