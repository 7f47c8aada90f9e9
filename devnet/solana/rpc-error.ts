/** What a method answers instead of a result: the codes are those of the real node. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** The caller's parameters are wrong; says which and how. */
export const invalidParams = (message: string): RpcError => new RpcError(-32602, message)
