/** Hex in lower case. The regular expressions of the wire shapes guarantee that it starts with 0x. */
export function hex(text: string): `0x${string}` {
  return `0x${text.slice(2).toLowerCase()}`
}
