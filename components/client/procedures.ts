import { skipToken } from '@tanstack/react-query'
import type { MakeCall } from './calls'
import type { Trpc } from './trpc'

/** The typed procedures of the dashboard, for a browser or a server that makes their calls so. */
export function createProcedures(make: MakeCall): Trpc {
  return asTrpc(procedureAt([], make))
}

// No type could follow the names that a proxy is asked for.
const asTrpc = (proxy: unknown) => proxy as Trpc

function procedureAt(names: readonly string[], make: MakeCall): unknown {
  return new Proxy(() => {}, {
    // A promise looks for `then`.
    get: (_, name) => (typeof name === 'string' && name !== 'then' ? procedureAt([...names, name], make) : undefined),
    apply: (_, __, args) => use({ names: names.slice(0, -1), make }, names.at(-1), args),
  })
}

type Procedure = { names: readonly string[]; make: MakeCall }
type Options = { trpc?: { context?: { alone?: unknown } } }

/** What a method of tRPC's proxies returns (https://trpc.io/docs/client/tanstack-react-query/usage), of those that screens use. */
function use({ names, make }: Procedure, method: string | undefined, [first, second]: readonly unknown[]): unknown {
  const path = names.join('.')
  switch (method) {
    case 'query':
    case 'mutate':
      return make({ type: method === 'query' ? 'query' : 'mutation', path, input: first, alone: false })
    case 'pathFilter':
      return { queryKey: [names] }
    case 'queryOptions':
      return queryOptions({ names, make }, first, second ?? {})
    case 'mutationOptions':
      return {
        ...(first ?? {}),
        mutationKey: [names],
        mutationFn: (input: unknown) => make({ type: 'mutation', path, input, alone: false }),
      }
    default:
      throw new Error(`procedures have no method ${method}`)
  }
}

function queryOptions({ names, make }: Procedure, input: unknown, options: Options) {
  const isSkipped = input === skipToken
  const alone = options.trpc?.context?.alone === true
  return {
    ...options,
    queryKey: [names, { ...(input === undefined || isSkipped ? {} : { input }), type: 'query' }],
    queryFn: isSkipped ? skipToken : () => make({ type: 'query', path: names.join('.'), input, alone }),
  }
}
