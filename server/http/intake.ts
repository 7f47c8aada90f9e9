import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../base/errors'

/** Callbacks while one request's body is read from its socket. */
export type BodyMeter = {
  limit: number
  /** Called once before the first read: a client that waits for `100 Continue` may send now. */
  begin: () => void
  /** Called with the size of each received chunk. */
  count: (bytes: number) => void
}

/** The declared length of a body; undefined if it is chunked. A request with neither header has no body. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}

/** The refusal of a body over its limit. */
export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError('too_large', `the body is larger than ${limit / 1_024} KB, the limit of this route`, {
    reason: 'payload_too_large',
  })
}

type Bytes = Uint8Array<ArrayBuffer>

/** What becomes of a body: its pieces, and then its end or what is wrong. Nothing comes after either. */
type Intake = { piece: (piece: Bytes) => void; end: () => void; fail: (error: Error) => void }

/** Reads a body from its socket. It fails beyond the limit or when the client disconnects; the rest of such a body is not kept. */
function takeIn(req: IncomingMessage, { limit, count, begin }: BodyMeter, { piece, end, fail }: Intake): void {
  if ((declaredLength(req) ?? 0) > limit) {
    fail(bodyTooLarge(limit))
    return
  }
  let received = 0
  let over = false
  const finish = (act: () => void) => {
    if (over) return
    over = true
    act()
  }
  req.on('data', (bytes: Buffer<ArrayBuffer>) => {
    received += bytes.length
    count(bytes.length)
    if (received > limit) finish(() => fail(bodyTooLarge(limit)))
    if (!over) piece(bytes)
  })
  req.once('end', () => finish(end))
  req.once('close', () =>
    finish(() => fail(new ServiceError('bad_request', 'the client disconnected before its body was complete'))),
  )
  begin()
}

/** A whole body. Rejects beyond the limit or when the client disconnects. */
export function wholeBody(req: IncomingMessage, meter: BodyMeter): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const pieces: Bytes[] = []
    takeIn(req, meter, { piece: (piece) => void pieces.push(piece), end: () => resolve(Buffer.concat(pieces)), fail: reject })
  })
}

/** The body as a web stream. It reads the socket on demand, and fails beyond the limit or when the client disconnects. */
export function bodyStream(req: IncomingMessage, meter: BodyMeter): ReadableStream<Bytes> {
  let begun = false
  let over = false
  const end = (act: () => void) => {
    if (!over) act()
    over = true
  }
  const source: UnderlyingDefaultSource<Bytes> = {
    pull(controller) {
      const piece = (bytes: Bytes) => {
        if (over) return
        controller.enqueue(bytes)
        req.pause()
      }
      if (!begun)
        takeIn(req, meter, {
          piece,
          end: () => end(() => controller.close()),
          fail: (error) => end(() => controller.error(error)),
        })
      begun = true
      if (!over) req.resume()
    },
    cancel() {
      over = true
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
