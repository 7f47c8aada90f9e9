import { writeFileSync } from 'node:fs'

/** A reporter of Vitest: the errors outside tests, such as a worker that died. Its JSON report has none of them. */
export default class StrayErrors {
  /**
   * @param {unknown} _files
   * @param {readonly { message?: string, stack?: string }[]} errors
   */
  onTestRunEnd(_files, errors) {
    const { STRAY_ERRORS = '' } = process.env
    const texts = errors.map(({ stack, message }) => stack || message || 'an error without a message')
    if (STRAY_ERRORS) writeFileSync(STRAY_ERRORS, JSON.stringify(texts))
  }
}
