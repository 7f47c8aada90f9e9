import { yamlOf } from './yaml'

/** What our compose file says. */
export const compose = yamlOf('compose.yaml')
