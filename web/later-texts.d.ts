/** The texts of one language that most pages do not need at first: see vite.config.ts. */
declare module '*.json?later' {
  export const texts: Partial<import('./text/messages.ts').Messages>
}
