import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { tooLong } from '../base/upstream'

/** A POST of JSON: its body, the bytes of the response to read at most, and when to give up. */
export type Post = { body: string; bytesMax: number; signal?: AbortSignal | null | undefined }

/**
 * Opens connections to a URL that stay open between requests, at a fifth of the CPU time of `fetch`. A request resolves with the body of
 * a response with status 2xx, and throws on any other.
 */
export function openConnections(url: string): (post: Post) => Promise<string> {
  const target = new URL(url)
  const client = target.protocol === 'https:' ? https : http
  const kept = new client.Agent({ keepAlive: true, scheduling: 'lifo' })

  const send = (post: Post, agent: http.Agent | false): Promise<string> =>
    new Promise((resolve, reject) => {
      const { body, signal } = post
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'content-length': Buffer.byteLength(body),
      }
      const options = { method: 'POST', headers, agent, ...(signal ? { signal } : {}) }
      let answered = false
      const request = client.request(target, options, (response) => {
        answered = true
        readBody(response, post.bytesMax).then(resolve, reject)
      })
      request.on('error', (error) => {
        // The server closed a kept connection before it saw the request. The same bytes twice do no harm: sends are repeated anyway.
        if (agent && request.reusedSocket && isReset(error) && !answered) resolve(send(post, false))
        else reject(error)
      })
      // After an answer that is no response, such as a change of protocol, nothing else ends the request.
      request.on('close', () => {
        if (!answered) reject(new Error('the connection was closed without a response'))
      })
      request.end(body)
    })

  return (post) => send(post, kept)
}

const isReset = (error: Error) => 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

async function readBody(response: IncomingMessage, bytesMax: number): Promise<string> {
  const status = response.statusCode ?? 0
  if (status < 200 || status > 299) {
    response.destroy()
    throw new Error(`node answered with status ${status}`)
  }
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    response.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= bytesMax) return void pieces.push(piece)
      reject(tooLong())
      response.destroy()
    })
    response.on('end', () => resolve(Buffer.concat(pieces).toString()))
    response.on('error', reject)
  })
}
