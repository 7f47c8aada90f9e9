import { compile } from '@mdx-js/mdx'

/** Compiles the guides as the loader of Next does. */
export const mdx = {
  name: 'mdx',
  /**
   * @param {string} text
   * @param {string} file
   */
  transform: async (text, file) => (file.endsWith('.mdx') ? String(await compile(text)) : undefined),
}
