import type { Log } from '../log'
import type { RequestLine } from './visit'

/** Writes the line of every finished request: as an error when it was our fault, and the endless health checks only when asked. */
export function requestLog(log: Log): (line: RequestLine) => void {
  return ({ error, ...line }) => {
    if (error !== undefined) log.error({ ...line, err: error }, 'request failed')
    else if (line.route === '/health') log.debug(line, 'request')
    else log.info(line, 'request')
  }
}
