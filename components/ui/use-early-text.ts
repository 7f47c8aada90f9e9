import { type RefObject, useEffect, useEffectEvent } from 'react'

/**
 * Hands over what a visitor wrote into a field of the first HTML before the scripts ran. React leaves such a text on the screen, but calls
 * no handler for it.
 */
export function useEarlyText(field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>, onText: (text: string) => void) {
  const handOver = useEffectEvent(onText)
  useEffect(() => {
    const { value = '', defaultValue = '' } = field.current ?? {}
    if (value !== defaultValue) handOver(value)
  }, [field])
}
