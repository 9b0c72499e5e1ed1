import { useEffect, useState } from 'preact/hooks'

/** Where one of list and thread is shown at a time. */
export const phone = '(max-width: 799px)'

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const changed = (): void => setMatches(media.matches)
    media.addEventListener('change', changed)
    return () => media.removeEventListener('change', changed)
  }, [query])
  return matches
}
