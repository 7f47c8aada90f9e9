import { CatalogFrame } from '@/components/site/catalog/frame'
import { BUTTON } from '@/components/site/catalog/look'
import { Nothing } from '@/components/site/catalog/nothing'

/** A resource that is not listed: merchants and search engines keep links to what has left the catalog. */
export default function ResourceNotFound() {
  return (
    <CatalogFrame>
      <Nothing
        title="This resource is not listed"
        level={1}
        text="A listing leaves the catalog 90 days after its last payment, or when its merchant removes it."
      >
        <a className={BUTTON.primary} href="/catalog">
          Search the catalog
        </a>
        <a href="/docs/catalog">List your endpoint</a>
      </Nothing>
    </CatalogFrame>
  )
}
