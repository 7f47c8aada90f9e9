declare module '*.mdx' {
  import type { ComponentType } from 'react'
  import type { AppConfig } from '@/server/app'

  /** `components` are what its text uses without an import. */
  type Props = { baseUrl: string; tokens: AppConfig['merchantTokens']; components: Readonly<Record<string, unknown>> }

  const Text: ComponentType<Props>
  export default Text
}
