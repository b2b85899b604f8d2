import { createContext } from 'react'

/** The IANA zone of the reader's settings, in which times are shown; undefined means the browser's zone. */
export const ShownTimeZone = createContext<string | undefined>(undefined)
