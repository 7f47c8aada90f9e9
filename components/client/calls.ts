import { ACCOUNT_HEADER } from '@/server/trpc/account-header'

/**
 * A call of a procedure. One that is made `alone` waits for no other: an answer to several comes when its slowest is there. A change that is
 * made for an `account` is refused if another one is signed in by now.
 */
export type Call = { type: 'query' | 'mutation'; path: string; input: unknown; alone: boolean; account?: string | null }

/** Makes a call and resolves with its answer. Rejects with a `CallError`. */
export type MakeCall = (call: Call) => Promise<unknown>

/** What the service says about a call that it refuses. */
type Refusal = { code?: unknown; httpStatus?: unknown; field?: { path: string; problem: string } | null }

/** A failed call: with what the service said, or without if no answer came. The name of the field is tRPC's, as in its types. */
export type CallError = Error & { readonly data: Refusal | undefined }

/** The error of a failed call. */
export function callError(message: string, data?: Refusal): CallError {
  return Object.assign(new Error(message), { name: NAME, data })
}

/** Whether an error is that of a failed call. */
export function isCallError(error: unknown): error is CallError {
  return error instanceof Error && error.name === NAME
}

const NAME = 'CallError'

/** Calls per request; `server/trpc/handler.ts` refuses more. */
const CALLS_AT_ONCE = 10

type Fetch = (url: string, init?: RequestInit) => Promise<Response>
type Waiting = { call: Call; resolve: (data: unknown) => void; reject: (error: CallError) => void }

/**
 * Makes calls over tRPC's protocol (https://trpc.io/docs/rpc), those of one turn of the event loop together. tRPC's own client has much that
 * no screen needs, and every screen would load it.
 */
export function createCalls(url: string, fetch: Fetch = (...request) => globalThis.fetch(...request)): MakeCall {
  let waiting: Waiting[] = []
  const sendAll = () => {
    const batches = batchesOf(waiting)
    waiting = []
    for (const batch of batches) void send(batch, url, fetch)
  }
  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(sendAll)
      waiting.push({ call, resolve, reject })
    })
}

/** The calls that share a request. */
function batchesOf(waiting: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = []
  for (const one of waiting) {
    const joined = batches.find(
      ([first, ...others]) => first && canJoin(one.call, first.call) && others.length < CALLS_AT_ONCE - 1,
    )
    if (joined) joined.push(one)
    else batches.push([one])
  }
  return batches
}

const canJoin = (one: Call, other: Call) => one.type === other.type && !one.alone && !other.alone

async function send(batch: readonly Waiting[], url: string, fetch: Fetch): Promise<void> {
  try {
    const { address, init } = requestOf(batch, url)
    const response = await fetch(address, init)
    const answers = await readAnswers(response)
    for (const [no, { resolve, reject }] of batch.entries()) {
      // One refusal may stand for all.
      const answer = Array.isArray(answers) ? answers[no] : answers
      if (answer === undefined) throw new Error('an answer is missing')
      if ('error' in answer) reject(refused(answer.error, response.status))
      else resolve(answer.result.data)
    }
  } catch (error) {
    const failed = callError(error instanceof Error ? error.message : String(error))
    for (const { reject } of batch) reject(failed)
  }
}

function requestOf(batch: readonly Waiting[], url: string): { address: string; init?: RequestInit } {
  const calls = batch.map(({ call }) => call)
  const address = `${url}/${calls.map(({ path }) => path).join(',')}?batch=1`
  const inputs = JSON.stringify(Object.fromEntries(calls.map(({ input }, no) => [no, input])))
  if (calls[0]?.type === 'query') return { address: `${address}&input=${encodeURIComponent(inputs)}` }
  const account = calls[0]?.account
  const headers = { 'content-type': 'application/json', ...(account && { [ACCOUNT_HEADER]: account }) }
  return { address, init: { method: 'POST', headers, body: inputs } }
}

type Answered = { message: string; data: Refusal }
type Answer = { result: { data?: unknown } } | { error: Answered | string }

/** The doors before the procedures refuse as the API does: by a sentence alone. */
const refused = (error: Answered | string, httpStatus: number): CallError =>
  typeof error === 'string' ? callError(error, { code: REFUSED, httpStatus }) : callError(error.message, error.data)

const REFUSED = 'BAD_REQUEST'

/** The answer of each call, as our own service writes it. Throws if something else answered. */
async function readAnswers(response: Response): Promise<Answer | Answer[]> {
  return response.json()
}
