import { writeFileSync } from 'node:fs'
import { openApiDocument } from '../server/http/openapi/document'
writeFileSync(process.argv[2] ?? '', JSON.stringify(openApiDocument('https://pay.example'), null, 1))
