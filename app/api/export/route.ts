import { exportHistory } from '@/server/history/export-file'
import { route } from '@/server/http/bind'

export const GET = route(exportHistory)
