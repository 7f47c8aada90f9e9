import type { ServerResponse } from 'node:http'
import { JsonResponse, type WholeJson } from './json-response'

// Responses up to this size are sent with their length; longer ones and event streams are streamed.
const WHOLE_BYTES = 65_536

/** Writes a handler's Response to the socket with backpressure. Rejects if the response's stream fails. */
export async function writeResponse(res: ServerResponse, response: Response): Promise<void> {
  const whole = JsonResponse.wholeOf(response)
  if (res.destroyed) {
    if (!whole) await response.body?.cancel()
    return
  }
  if (whole) {
    sendJson(res, whole)
    return
  }
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name === 'set-cookie') res.appendHeader(name, value)
    else res.setHeader(name, value)
  }
  if (!response.body) {
    res.end()
    return
  }
  const reader = response.body.getReader()
  const flows = response.headers.get('content-type')?.startsWith('text/event-stream')
  const pieces: Uint8Array[] = []
  let bytes = 0
  let next = await reader.read()
  while (!next.done && !flows && bytes <= WHOLE_BYTES) {
    pieces.push(next.value)
    bytes += next.value.length
    next = await reader.read()
  }
  if (next.done) {
    sendWhole(res, pieces, bytes)
    return
  }
  await flow(res, reader, [...pieces, next.value])
}

function sendJson(res: ServerResponse, { status, headers, text }: WholeJson): void {
  res.statusCode = status
  for (const name in headers) res.setHeader(name, headers[name] ?? '')
  const bytes = Buffer.from(text)
  sendWhole(res, [bytes], bytes.length)
}

function sendWhole(res: ServerResponse, pieces: Uint8Array[], bytes: number): void {
  if (!res.hasHeader('content-length')) res.setHeader('content-length', bytes)
  // A latin1 string keeps the bytes, and Node writes it together with the headers.
  res.end(Buffer.concat(pieces).toString('latin1'), 'latin1')
}

async function flow(res: ServerResponse, reader: ReadableStreamDefaultReader<Uint8Array>, pieces: Uint8Array[]): Promise<void> {
  // A cancelled reader returns `done`, so a disconnected client ends the loop below.
  res.once('close', () => void reader.cancel().catch(() => {}))
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  for (const piece of pieces) res.write(piece)
  for (;;) {
    if (res.writableNeedDrain) await roomOrEnd(res)
    const next = await reader.read()
    if (next.done) break
    res.write(next.value)
  }
  res.end()
}

function roomOrEnd(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.once('drain', done)
    res.once('close', done)
  })
}
