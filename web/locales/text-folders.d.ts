/** A folder of texts is one module (scripts/texts/page-texts.ts). */
declare module '#web/locales/folders' {
  type InterfaceLocale = import('#contract/settings/languages.ts').InterfaceLocale
  /** `initial` is whole on the server. In the browser later texts follow: `WithAllTexts`. */
  export const folders: Record<
    InterfaceLocale,
    {
      initial(): Promise<{ texts: import('./messages.ts').Messages }>
      lazy(): Promise<{ texts: import('./sections.ts').LazyTexts }>
    }
  >
}
