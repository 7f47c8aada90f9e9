'use client'

import Link from 'next/link'
import { CopyLine } from '../../ui/copy-line'
import { Panel } from '../../ui/panel'

const KEY = 'YOUR_KEY'

/** How to use a key as the facilitator URL. We store no secret, so these are templates. */
export function UseKey({ baseUrl }: { baseUrl: string }) {
  return (
    <Panel title="Use a key">
      <div className="grid grid-cols-1 gap-3 p-4">
        <p>
          Set this URL as the facilitator of any x402 middleware. Put your key in place of <code>{KEY}</code>.
        </p>
        <CopyLine name="Facilitator URL" action="Copy template" text={`${baseUrl}/v1/${KEY}`} />
        <CopyLine name="Command to check it" text={`curl ${baseUrl}/v1/${KEY}/supported`} />
        <p className="text-sm text-soft">
          We show a key once. If you lost yours, create a new one. See the <Link href="/docs/api/agents">API reference</Link>, or
          give your agent <a href="/llms.txt">/llms.txt</a>.
        </p>
      </div>
    </Panel>
  )
}
