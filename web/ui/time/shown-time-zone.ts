import { createContext } from 'react'

/** An IANA name for the moments below; undefined: that of the browser. */
export const ShownTimeZone = createContext<string | undefined>(undefined)
