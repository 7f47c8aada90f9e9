/** What the constructor of the official `HTTPFacilitatorClient` takes. It needs no credentials: a key is part of the URL. */
export type FacilitatorUrl = { url: string }

export type FacilitatorChoice = {
  /** The base URL of the service, or any facilitator URL of it. By default `FACILITATOR_URL`. */
  url?: string
  /** Settles at preconfirmation; needs a key whose plan has it. */
  flash?: boolean
}

/** The facilitator that `FACILITATOR_URL` names, read at first use. Throws if that is unset or no http(s) URL. */
export const facilitator: FacilitatorUrl = {
  get url() {
    return configuredUrl()
  },
}

/**
 * The facilitator of an API key; without a key `FACILITATOR_URL` as it is, or the sandbox of `url`. Throws without a URL, or when flash is
 * asked for without a key.
 */
export function createFacilitatorConfig(key?: string, { url, flash = false }: FacilitatorChoice = {}): FacilitatorUrl {
  if (key === undefined) {
    if (flash) throw new Error('flash needs an API key')
    return { url: url === undefined ? configuredUrl() : `${baseOf(url)}/sandbox` }
  }
  if (!/^[\w-]+$/.test(key)) throw new Error('an API key has letters, digits, hyphens and underscores')
  return { url: `${baseOf(url ?? configuredUrl())}/v1/${key}${flash ? '/flash' : ''}` }
}

/** The base URL of a service, from any of its facilitator URLs. Throws for anything but an http(s) URL. */
export function baseOf(url: string): string {
  return trimmed(url).replace(/\/(sandbox|v1(\/[^/]+)?(\/flash)?)$/, '')
}

function configuredUrl(): string {
  const url = process.env.FACILITATOR_URL
  if (!url) throw new Error('FACILITATOR_URL is not set: it is the URL of your facilitator, such as https://…/v1/<API_KEY>')
  return trimmed(url)
}

function trimmed(url: string): string {
  if (!/^https?:\/\/[^/]/.test(url)) throw new Error(`"${url}" is no http(s) URL`)
  return url.replace(/\/+$/, '')
}
