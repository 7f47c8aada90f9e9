// The font has no other letters. For any other character the library would ask servers of strangers for a font or an emoji.
const UNKNOWN = /[^\x20-\x7e\u00a0-\u00ff–—‘'“”…·]/gu

/** A text of strangers as a picture can show it: known letters only, one line, cut. */
export function pictureText(text: string, most: number): string {
  const line = text.normalize('NFC').replace(/\s+/g, ' ').replace(UNKNOWN, '').replace(/ +/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line
}
