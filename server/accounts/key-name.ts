/** The name of a key; its owner need not give one. */
export const keyName = ({ name }: { name: string }): string => name || 'Unnamed key'

/** The name of one of several keys: the beginning of its id tells an unnamed one from the others. */
export const keyNameAmong = ({ id, name }: { id: string; name: string }): string => name || `Unnamed key ${id.slice(0, 8)}`
