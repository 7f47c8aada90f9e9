import Link from 'next/link'
import type { ReactNode } from 'react'
import { Panel } from '../ui/panel'

/** How a key is used: as part of the facilitator URL. */
export function CallingPanel({ baseUrl }: { baseUrl: string }) {
  const url = `${baseUrl}/v1/<your key>`
  return (
    <Panel title="Call it">
      <div className="grid gap-4 p-4">
        <p className="m-0">
          A key is part of a URL. Any x402 server middleware takes that URL as its facilitator, and each payment that it settles
          costs one credit.
        </p>
        <div className="grid gap-2">
          <Line>FACILITATOR_URL={url}</Line>
          <Line>POST {url}/verify</Line>
          <Line>POST {url}/settle</Line>
        </div>
        <p className="m-0 text-[0.8125rem] text-soft">
          Credits bought on testnets settle on testnets. At 0 credits, settle answers 429. <Link href="/docs">The reference</Link>{' '}
          has every field; <a href="/llms.txt">/llms.txt</a> is the same for your agent.
        </p>
      </div>
    </Panel>
  )
}

function Line({ children }: { children: ReactNode }) {
  return <code className="rounded-lg bg-code px-3 py-2 break-words">{children}</code>
}
