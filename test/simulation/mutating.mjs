// Loaded before everything else of a mutated simulation: the files that it names are changed while they are read.
import { register } from 'node:module'

register('./mutating-hooks.mjs', import.meta.url, { data: JSON.parse(process.env.SIMULATION_EDITS ?? '[]') })
