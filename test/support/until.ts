/** Polls a condition until it holds; throws what it waited for after `withinMs`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
  everyMs = 20,
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
