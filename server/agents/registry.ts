import { z } from 'zod'
import { bodyOf, canRequest, codesOf, jsonOrUndefined } from '../base/upstream'
import { plainText } from '../x402/json'

/** An ERC-8004 agent token as a registry returns it. */
type RegistryAgent = { tokenId: string; name: string | null; url: string }

/** Requests the agents of a wallet on a network (by slug). Rejects on any error or its own timeout; errors name no URL and no wallet. */
export type AgentRegistry = (wallet: string, slug: string) => Promise<RegistryAgent[]>

const TIMEOUT_MS = 3_000
const AGENTS_MAX = 20
const NAME_MAX = 100
const URL_MAX = 2_048

const tokenId = z.union([z.string().regex(/^[\w.:-]{1,100}$/), z.int().nonnegative().transform(String)])
const Answer = z.object({
  data: z.array(z.object({ token_id: tokenId, name: z.string().nullish(), url: z.string().nullish() })).max(1_000),
})

/**
 * A registry with `GET {url}/agents?owner=<wallet>&network=<slug>`, which returns `{data: [{token_id, name, url?}]}`. Agents without a usable
 * link get `{webUrl}/agents/<slug>/<token_id>`; `webUrl` defaults to the registry's origin. Throws if the URL is unusable.
 */
export function agentRegistry(url: string, webUrl?: string, timeoutMs = TIMEOUT_MS): AgentRegistry {
  const base = url.replace(/\/+$/, '')
  const headers = { accept: 'application/json' }
  if (!canRequest(base, headers)) throw new Error('the URL of the agent registry cannot be used in a request')
  const profiles = (webUrl ?? new URL(base).origin).replace(/\/+$/, '')
  return async (wallet, slug) => {
    const target = `${base}/agents?${new URLSearchParams({ owner: wallet, network: slug })}`
    const text = await fetch(target, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
      .then((response) => (response.status === 200 ? bodyOf(response) : refused(response)))
      .catch((error: unknown) => {
        throw new Error(`the agent registry does not answer (${codesOf(error).detail})`)
      })
    const read = Answer.safeParse(jsonOrUndefined(text))
    if (!read.success) throw new Error('the agent registry did not answer with agents in JSON')
    return read.data.data.slice(0, AGENTS_MAX).map((agent) => ({
      tokenId: agent.token_id,
      name: plainText(agent.name ?? '', NAME_MAX) || null,
      url: linkIn(agent.url ?? '') ?? `${profiles}/agents/${slug}/${encodeURIComponent(agent.token_id)}`,
    }))
  }
}

async function refused(response: Response): Promise<never> {
  await response.body?.cancel()
  throw Object.assign(new Error(), { code: `STATUS_${response.status}` })
}

/** The link if it is safe for browsers: http(s) without credentials; else null. */
function linkIn(written: string): string | null {
  if (written.length > URL_MAX || !URL.canParse(written)) return null
  const link = new URL(written)
  const usable = /^https?:$/.test(link.protocol) && !link.username && !link.password
  return usable && link.href.length <= URL_MAX ? link.href : null
}
