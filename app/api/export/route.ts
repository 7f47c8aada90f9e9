import { exportHistory } from '@/server/history/export-file'
import { bind } from '@/server/http/bind'

export const GET = bind(exportHistory)
