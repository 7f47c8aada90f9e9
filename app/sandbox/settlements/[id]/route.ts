import { bind } from '@/server/app'
import { settlementsUnder } from '@/server/http/settlements'

export const GET = bind(settlementsUnder('sandbox'))
