import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { onTestFinished } from 'vitest'
import type { Locale } from '#contract/constants.ts'
import type { SiteSettings } from '#contract/user.ts'
import { newAppContext, VISITOR } from '#test/components/app-context.ts'
import { site } from '#test/components/visited-site.ts'
import { DialogHost } from '#web/dialogs/dialog-host.tsx'
import type { PageData } from '#web/house/page-data.ts'
import { NO_ALERTS } from '#web/house/stores/alert-queue.ts'
import { AlertHost } from '#web/layouts/alert-host.tsx'
import type { Pages } from '#web/navigation/pages.ts'
import { PageContext } from '#web/navigation/use-page.ts'
import { AppProviders } from '#web/root.tsx'
import { type Answers, fakeApi } from './fake-api.ts'

type ShowOptions = {
  answers?: Answers
  session?: PageData['session']
  locale?: Locale
  settings?: Partial<SiteSettings>
  at?: string
  data?: unknown
}

/** Renders a component inside the providers that every page has. `answers` are those of the fake API. */
export async function show(component: ReactNode, options: ShowOptions = {}) {
  const { answers = {}, session = VISITOR, locale = 'en', settings = {}, at = '/', data } = options
  const { api, sent } = fakeApi(answers)
  const app = await newAppContext(session, api, { locale, settings, extent: 'all' })
  // An alert's timer would outlive the window, so the alerts are cleared.
  onTestFinished(() => {
    app.alerts.queue.set(NO_ALERTS)
    app.alerts.clearErrors()
  })
  const { pages, loads, history } = site({ at, ownsQuery: true, data })
  const drawn = render(
    <AppProviders app={app}>
      <OpenPage pages={pages}>
        {component}
        <DialogHost />
        <AlertHost />
      </OpenPage>
    </AppProviders>,
  )
  return { ...drawn, user: userEvent.setup(), app, sent, pages, loads, history }
}

function OpenPage({ pages, children }: { pages: Pages; children: ReactNode }) {
  const [page, setPage] = useState(pages.get)
  useEffect(() => pages.subscribe((next) => flushSync(() => setPage(next))), [pages])
  return <PageContext value={{ page, pages }}>{children}</PageContext>
}
