import { CatalogFrame } from '@/components/site/catalog/frame'

/** A resource that is not listed: merchants and search engines keep links to what has left the catalog. */
export default function ResourceNotFound() {
  return (
    <CatalogFrame>
      <main id="text">
        <section className="nothing">
          <h1>This resource is not listed</h1>
          <p className="muted">A listing leaves the catalog 90 days after its last payment, or when its merchant removes it.</p>
          <p className="actions">
            <a className="button" href="/catalog">
              Search the catalog
            </a>
            <a href="/docs/catalog">List your endpoint</a>
          </p>
        </section>
      </main>
    </CatalogFrame>
  )
}
