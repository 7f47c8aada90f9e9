export type ByteReader = ReturnType<typeof byteReader>

const NOTHING = new Uint8Array()

/** Reads bytes from the front. Asked for what is not there, it is broken for good and gives nothing; ask `isSpent` at the end. */
export function byteReader(bytes: Uint8Array) {
  let at = 0
  let broken = false

  function take(length: number): Uint8Array {
    if (length > bytes.length - at) broken = true
    if (broken) return NOTHING
    at += length
    return bytes.subarray(at - length, at)
  }

  const byte = (): number => take(1)[0] ?? 0

  // Solana's compact-u16: seven bits a byte, the lowest first. It has one form for each number, the shortest.
  function compact(): number {
    let value = 0
    for (let shift = 0; shift <= 14; shift += 7) {
      const next = byte()
      value |= (next & 0x7f) << shift
      if (next >= 0x80) continue
      if ((next === 0 && shift > 0) || value > 0xffff) broken = true
      return value
    }
    broken = true
    return 0
  }

  /** As many items as the count in front says. Every item takes a byte at least, so a count beyond the end is never followed. */
  function list<T>(item: () => T): T[] {
    const count = compact()
    if (count > bytes.length - at) broken = true
    const items: T[] = []
    while (!broken && items.length < count) items.push(item())
    return items
  }

  return {
    take,
    byte,
    list,
    /** As many bytes as the count in front says. */
    run: () => take(compact()),
    /** The bytes that are still to come. */
    rest: () => bytes.subarray(at),
    /** Whether everything was there and nothing is left. */
    isSpent: () => !broken && at === bytes.length,
  }
}
