import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import { z } from 'zod'
import { createRpc } from '../../../server/chains/evm/rpc'
import type { Rpc } from '../../../server/chains/rpc'
import { testLog } from '../logs'

const Question = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })
export type Question = z.infer<typeof Question>
export type Answering = (questions: Question[], response: ServerResponse) => void

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A node without a chain; it stops when the test ends. */
export type FakeNode = { url: string; requests: Question[][]; methods: () => string[]; turn: (answering: Answering) => void }

/** Starts a node with these answers that records HTTP requests. A single call is recorded as a batch of one. */
export async function fakeNode(first: Answering): Promise<FakeNode> {
  let answering = first
  const requests: Question[][] = []
  const server = createServer(async (request, response) => {
    const questions = z.union([z.array(Question), Question.transform((one) => [one])]).parse(await json(request))
    requests.push(questions)
    answering(questions, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/secret-key`,
    requests,
    methods: () => requests.flat().map(({ method }) => method),
    turn(next) {
      answering = next
    },
  }
}

/** A Base Sepolia client over these endpoints. */
export const rpcTo = (...urls: string[]): Rpc => createRpc(urls, 'eip155:84532', testLog())

export const say = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

export const hexOf = (text: string) => `0x${Buffer.from(text).toString('hex')}`

const echoOn =
  (chainId: string): Answering =>
  (questions, response) =>
    say(
      response,
      questions.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method === 'eth_chainId' ? chainId : hexOf(method) })),
    )

/** A Base Sepolia node that answers each call with the method's name. */
export const echo = echoOn('0x14a34')
/** A node of another chain that answers each call with the method's name. */
export const foreignEcho = echoOn('0x1')
/** Takes the request and never answers. */
export const silence: Answering = () => {}
/** A gateway's answer when its node is down. */
export const badGateway: Answering = (_, response) => void response.writeHead(502).end('<html>')
