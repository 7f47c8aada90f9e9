import { sandboxSale, serverVariants } from '../../client/programs/merchants'
import { CodeTabs } from '../../ui/code/tabs'

/** A server that charges for a route, in each of the frameworks. */
export function FirstServer({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="section" id="start">
      <header>
        <h2>Charge for a route with one file</h2>
        <p className="muted">
          Any x402 middleware works; these are the official ones, and Python without any package. Set your address and run it. The
          sandbox is free and needs no account.
        </p>
      </header>
      <CodeTabs title="A server that is paid" variants={serverVariants(sandboxSale(baseUrl))} />
    </section>
  )
}
