// Applies the migrations as the owner of the tables and ends: `node dist/migrate.mjs`. Later starts of the
// service need no such role.

import { migrate } from '../db/migrate'
import { migrationUrl } from '../env/env'

const applied = await migrate(migrationUrl())
console.log(applied.length === 0 ? 'The database has all migrations.' : `Applied: ${applied.join(', ')}.`)
// Open sockets must not delay the exit.
process.exit(0)
