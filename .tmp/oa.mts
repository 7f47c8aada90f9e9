import { endpoints } from '../server/endpoints'
import { openApiDocument } from '../server/http/openapi/document'
import { routesOf } from '../server/http/route-table'
const d = openApiDocument('http://x', endpoints)
console.log(routesOf(endpoints).filter((r) => r.pattern.includes('channels')), Object.keys(d.paths).filter((p) => p.includes('channels')))
