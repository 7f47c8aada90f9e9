import Link from 'next/link'
import { Copyable } from '../ui/copyable'
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
          <Line text={`FACILITATOR_URL=${url}`} label="line of .env" />
          <Line text={`POST ${url}/verify`} label="verify" />
          <Line text={`POST ${url}/settle`} label="settle" />
        </div>
        <p className="m-0 text-[0.8125rem] text-soft">
          Credits bought on testnets settle on testnets. At 0 credits, settle answers 429. <Link href="/docs">The reference</Link>{' '}
          has every field; <a href="/llms.txt">/llms.txt</a> is the same for your agent.
        </p>
      </div>
    </Panel>
  )
}

function Line({ text, label }: { text: string; label: string }) {
  return (
    <div className="min-w-0 rounded-lg bg-code px-3 py-2">
      <Copyable text={text} shown={text} label={label} />
    </div>
  )
}
