import { sandboxVariants } from '../../client/programs/commands'
import { CodeTabs } from '../../ui/code/tabs'
import { Section } from '../frame/section'

/** A server that charges for a route, in each of the frameworks. */
export function FirstServer({ baseUrl }: { baseUrl: string }) {
  return (
    <Section
      id="start"
      title="Charge for a route with one file"
      about="Works with any x402 middleware. Below: the official packages, and Python with no package. Set your address and run it. The sandbox is free and needs no account."
    >
      <CodeTabs title="A server that is paid" variants={sandboxVariants(baseUrl)} fold="early" />
    </Section>
  )
}
