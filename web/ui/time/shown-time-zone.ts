import { createContext } from 'react'

/** The IANA zone of the reader's settings, for the moments inside; undefined means the browser's zone. */
export const ShownTimeZone = createContext<string | undefined>(undefined)
