const BEARER = /^Bearer +(\S+) *$/i

/** The token of `Authorization: Bearer <token>`; null without one. */
export function bearerOf(request: Request): string | null {
  return BEARER.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}
