import { endpoints } from '../server/endpoints'
import { openApiDocument } from '../server/http/openapi/document'
const d = openApiDocument('http://x', endpoints)
console.log(Object.keys(d.paths).filter((p) => p.includes('channels')), JSON.stringify(d.paths['/v1/{key}/channels/{network}/{id}']).slice(0, 1500))
