import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { API_HEADERS, refusalBody } from '../http/refusal'
import { REQUEST_ID_HEADER } from '../http/request'
import type { RequestLine } from './visit'

/**
 * Answers bytes that Node could not read as a request: 408 when they came too slowly, else 400, and closes the connection.
 * When an answer is already on its way the connection just ends after it: a second one would be taken for the next answer.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex, log: (line: RequestLine) => void): void {
  const close = () => socket.destroy()
  if (!socket.writable || error.code === 'ECONNRESET') return void close()
  if (hasAnswerUnderway(socket)) return void socket.end(close)
  const requestId = randomUUID()
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const text = JSON.stringify(refusalBody('plain', explain(error.code)))
  const headers = {
    ...API_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    [REQUEST_ID_HEADER]: requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${status === 408 ? 'Request Timeout' : 'Bad Request'}\r\n${lines.join('')}\r\n${text}`, () =>
    socket.destroy(),
  )
  log({ requestId, method: '', route: 'unknown', status, milliseconds: 0 })
}

function explain(code: string | undefined): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return 'the request did not arrive in time; send its headers within 10 and its body within 30 seconds'
  if (code === 'HPE_HEADER_OVERFLOW') return 'the request headers are larger than 16 KB'
  return 'the request is not valid HTTP/1.1; check its request line, header lines, Content-Length and chunk sizes'
}

// Node keeps the answer in progress on its socket; there is no public name for it.
function hasAnswerUnderway(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true
}
