import { endpoint } from '../../../server/http/endpoint'
import { DOCUMENT_HEADERS } from '../../../server/operations/endpoints'
import { searchIndex } from './contents'

/** What the search of the documentation reads when it opens. */
export const getSearchIndex = endpoint({
  unlisted: 'own pages',
  async handler({ app }) {
    return Response.json(searchIndex(app.api()), { headers: DOCUMENT_HEADERS })
  },
})
