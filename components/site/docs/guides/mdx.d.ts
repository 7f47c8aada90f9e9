declare module '*.mdx' {
  import type { ComponentType } from 'react'
  import type { AppConfig } from '@/server/app'

  /** `components` are what its text uses without an import. `faucetUrl`: a sample merchant that gives test money; null without one. */
  type Props = {
    baseUrl: string
    tokens: AppConfig['merchantTokens']
    faucetUrl?: string | null
    components: Readonly<Record<string, unknown>>
  }

  const Text: ComponentType<Props>
  export default Text
}
