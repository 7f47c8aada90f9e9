import { route } from '@/server/app'
import { exportHistory } from '@/server/history/exports'

export const GET = route(exportHistory)
