import { chainalysis } from './chainalysis'
import type { Screener } from './screener'

/** The settings of the environment. */
type KytSettings = { KYT?: string | undefined; KYT_URL?: string | undefined; KYT_API_KEY?: string | undefined }

/** The KYT service that the environment names; null where screening is off. A new vendor is chosen here. */
export function configuredScreener({ KYT, KYT_URL, KYT_API_KEY }: KytSettings): Screener | null {
  return KYT_URL === undefined || KYT === 'off' ? null : chainalysis(KYT_URL, KYT_API_KEY)
}
