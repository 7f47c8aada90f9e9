import type { ComponentProps, ReactNode } from 'react'
import { Code } from '../../../ui/code/code'
import type { Fold } from '../../../ui/code/snippet'
import { CodeTabs } from '../../../ui/code/tabs'
import { StepMark } from '../../../ui/step-mark'
import { FlowPicture } from '../../frame/flow-picture'
import type { GuideName } from '../pages'
import { InlineCode } from '../reference/prose'
import { Status } from '../reference/status'
import { Term, Terms } from '../terms'
import Authentication from './authentication.mdx'
import Catalog from './catalog.mdx'
import Channels from './channels.mdx'
import Crash from './crash.mdx'
import Errors from './errors.mdx'
import Flash from './flash.mdx'
import Headers from './headers.mdx'
import Limits from './limits.mdx'
import Merchants from './merchants.mdx'
import Networks from './networks.mdx'
import PayersAndAgents from './payers-and-agents.mdx'
import PayingByChannel from './paying-by-channel.mdx'
import Quickstart from './quickstart.mdx'
import Settlement from './settlement.mdx'
import { StatusTerm } from './status-term'
import Usage from './usage.mdx'
import Webhooks from './webhooks.mdx'

const texts = {
  quickstart: Quickstart,
  settlement: Settlement,
  crash: Crash,
  flash: Flash,
  usage: Usage,
  channels: Channels,
  'paying-by-channel': PayingByChannel,
  merchants: Merchants,
  'payers-and-agents': PayersAndAgents,
  webhooks: Webhooks,
  catalog: Catalog,
  authentication: Authentication,
  networks: Networks,
  limits: Limits,
  errors: Errors,
  headers: Headers,
} as const satisfies Record<GuideName, unknown>

/** What the guides use without an import. */
const components = { code: InlineCode, Section, Code, CodeTabs, FlowPicture, Json, Term, Terms, Status, StatusTerm }

type Props = { name: GuideName } & Omit<ComponentProps<typeof Quickstart>, 'components'>

/** The text of a guide. */
export function Guide({ name, baseUrl, tokens, faucetUrl = null }: Props) {
  const Text = texts[name]
  return <Text baseUrl={baseUrl} tokens={tokens} faucetUrl={faucetUrl} components={components} />
}

/** A section of a guide, with a link to itself on its title; a step has a number. */
function Section({ id, title, step, children }: { id: string; title: string; step?: number; children: ReactNode }) {
  return (
    <section className="docs-section" id={id} aria-labelledby={`${id}-title`}>
      <h2 className={step ? 'flex items-center gap-3' : undefined} id={`${id}-title`}>
        {step ? <StepMark number={step} state="next" /> : null}
        <a className="anchor" href={`#${id}`}>
          {title}
        </a>
      </h2>
      {children}
    </section>
  )
}

function Json({ name, value, ...fold }: { name: string; value: unknown; fold?: Fold }) {
  return <Code name={name} code={JSON.stringify(value, null, 2)} language="json" {...fold} />
}
