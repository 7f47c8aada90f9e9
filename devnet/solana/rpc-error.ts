/** An error answer of a method, with a real node's code. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message)
  }
}

/** The error for wrong parameters. */
export const invalidParams = (message: string): RpcError => new RpcError(-32602, message)
