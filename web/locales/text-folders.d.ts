/** A folder of texts is one module (scripts/texts/page-texts.ts). */
declare module '#web/locales/*/initial' {
  /** Whole on the server. In the browser later texts follow: `WithAllTexts`. */
  export const texts: import('./messages.ts').Messages
}

declare module '#web/locales/*/lazy' {
  export const texts: import('./sections.ts').LazyTexts
}
