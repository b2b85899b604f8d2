import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { IntlProvider } from 'use-intl'
import { SCROLL_OFFSET_FAR_PX, SCROLL_OFFSET_PX } from '#contract/constants.ts'
import type { Theme } from '#contract/page-request.ts'
import { intlTag } from '#contract/settings/languages.ts'
import { type AppContext, ReactAppContext } from './house/app-context.ts'
import { PAGE_DATA_ID } from './house/page-data.ts'
import { useStore } from './house/stores/store.ts'
import { ReaderTimeZone } from './ui/time/reader-time-zone.tsx'

type RootProps = {
  app: AppContext
  dataText: string
  children: ReactNode
}

/** Renders the same document on server and browser. The class of `html` is the theme: light, dark or system. */
export function Root({ app, dataText, children }: RootProps) {
  const { locale } = useStore(app.language)
  const theme = useStore(app.theme)
  return (
    <AppProviders app={app}>
      <html lang={locale} className={theme} style={SCROLL_OFFSETS}>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
          <ThemeColor theme={theme} />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          <link rel="apple-touch-icon" href="/icons/touch-180.png" />
          <link rel="manifest" href="/manifest.webmanifest" />
        </head>
        <body>
          {children}
          <script id={PAGE_DATA_ID} type="application/json">
            {dataText}
          </script>
        </body>
      </html>
    </AppProviders>
  )
}

export function AppProviders({ app, children }: { app: AppContext; children: ReactNode }) {
  const { locale, messages } = useStore(app.language)
  return (
    <ReactAppContext value={app}>
      <QueryClientProvider client={app.queryClient}>
        {/*
         * The zone UTC has no effect, because no interface text contains a time. Only the browser knows the visitor's
         * zone.
         */}
        <IntlProvider locale={intlTag(locale)} messages={messages} timeZone="UTC">
          <ReaderTimeZone>{children}</ReaderTimeZone>
        </IntlProvider>
      </QueryClientProvider>
    </ReactAppContext>
  )
}

function ThemeColor({ theme }: { theme: Theme }) {
  if (theme !== 'system') return <meta name="theme-color" content={PAPER[theme]} />
  return (['light', 'dark'] as const).map((scheme) => (
    <meta key={scheme} name="theme-color" content={PAPER[scheme]} media={`(prefers-color-scheme: ${scheme})`} />
  ))
}

/** styles.css uses these offsets as scroll margins: one below the header, and an additional one for invalid fields. */
const SCROLL_OFFSETS = {
  '--scroll-offset': `${SCROLL_OFFSET_PX}px`,
  '--scroll-offset-more': `${SCROLL_OFFSET_FAR_PX - SCROLL_OFFSET_PX}px`,
}

/** The colours equal `--paper` of tokens.css. */
const PAPER = { light: '#fbfaf6', dark: '#0e1116' }
