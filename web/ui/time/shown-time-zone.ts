import { createContext } from 'react'

/** An IANA name for the moments below: that of the reader's settings; undefined: that of the browser. */
export const ShownTimeZone = createContext<string | undefined>(undefined)
