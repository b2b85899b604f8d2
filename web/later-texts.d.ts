/** The texts that most pages do not need at first (LATER_TEXTS in vite.config.ts). */
declare module '*.json?later' {
  export const texts: Partial<import('./text/messages.ts').Messages>
}
