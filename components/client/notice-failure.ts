import { notice } from '../ui/notice'
import { explained } from './errors'

/** Shows a toast: what failed and what to do, in the words of `Problem`. */
export function noticeFailure(error: { message: string }): void {
  const { title, advice } = explained(error)
  notice.error(title, advice)
}
