import { bind } from '@/server/app'
import { exportHistory } from '@/server/export'

export const GET = bind(exportHistory)
