import { sandboxSale, serverVariants } from '../../client/programs/merchants'
import { CodeTabs } from '../../ui/code/tabs'
import { Section } from '../frame/section'

/** A server that charges for a route, in each of the frameworks. */
export function FirstServer({ baseUrl }: { baseUrl: string }) {
  return (
    <Section
      id="start"
      title="Charge for a route with one file"
      about="Any x402 middleware works; these are the official ones, and Python without any package. Set your address and run it. The sandbox is free and needs no account."
    >
      {/* A program is read in its frame, so that what follows it is near. */}
      <div className="min-w-0 phone:[&_pre]:max-h-[24rem]">
        <CodeTabs title="A server that is paid" variants={serverVariants(sandboxSale(baseUrl))} />
      </div>
    </Section>
  )
}
