import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** A whole response of Next, before it is sent. */
export type Rendered = { status: number; headers: OutgoingHttpHeaders; body: Buffer }

/** Next's request handler. */
export type Render = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/** A request for a page, as Next gets it. */
type CapturedRequest = { url: string; headers: IncomingMessage['headers'] }

/** Renders a page into memory, uncompressed: a client that reads slowly keeps no place among the renders. */
export async function capture(render: Render, { url, headers }: CapturedRequest): Promise<Rendered> {
  const req = new IncomingMessage(new Socket())
  const { 'accept-encoding': _, ...read } = headers
  const version = { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 }
  Object.assign(req, { method: 'GET', url, headers: read, ...version, complete: true })
  req.push(null)
  const res = new ServerResponse(req)
  // No chunk framing: the bytes after the head are the body.
  res.useChunkedEncodingByDefault = false
  // Once there is a header, `writeHead` keeps its own in a form that can be read.
  res.setHeader(MARK, '')
  const sink = new Sink()
  sink.on('drain', () => res.emit('drain'))
  const finished = new Promise((resolve) => res.once('finish', resolve))
  res.assignSocket(sink)
  await render(req, res)
  await finished
  const { [MARK]: __, ...written } = res.getHeaders()
  return { status: res.statusCode, headers: written, body: sink.body() }
}

/** A socket that keeps what is written to it. */
class Sink extends Socket {
  readonly #pieces: Uint8Array[] = []

  override _write(piece: Uint8Array | string, encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(typeof piece === 'string' ? Buffer.from(piece, encoding) : piece)
    done()
  }

  override _writev(pieces: { chunk: Uint8Array | string; encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of pieces) this._write(chunk, encoding, () => {})
    done()
  }

  /** What follows the head of the response. */
  body(): Buffer {
    const all = Buffer.concat(this.#pieces)
    return all.subarray(all.indexOf(HEAD_END) + HEAD_END.length)
  }
}

const MARK = 'x-captured'
const HEAD_END = '\r\n\r\n'
