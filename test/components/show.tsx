import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { Router } from 'react-router'
import type { Locale } from '#contract/constants.ts'
import type { SiteSettings } from '#contract/user.ts'
import { AlertHost } from '#web/alerts/alert-host.tsx'
// The host fetches it in the background: here it has come before the test begins.
import '#web/alerts/alert-list.tsx'
import { DialogHost } from '#web/dialogs/dialog-host.tsx'
import { site } from '#web/navigation/test-site.ts'
import { PageContext } from '#web/navigation/use-page.ts'
import type { PageData } from '#web/page-data.ts'
import { AppProviders } from '#web/root.tsx'
import { newAppContext, VISITOR } from '#web/session/test-context.ts'
import { type Answers, fakeApi } from './fake-api.ts'

type ShowOptions = {
  answers?: Answers
  session?: PageData['session']
  locale?: Locale
  settings?: Partial<SiteSettings>
  /** The address of the page. */
  at?: string
}

/**
 * Draws a component where every page draws its own: with the texts, the session, the router, the
 * dialogs and the alerts. The service is `answers`.
 */
export async function show(component: ReactNode, options: ShowOptions = {}) {
  const { answers = {}, session = VISITOR, locale = 'en', settings = {}, at = '/' } = options
  const { api, sent } = fakeApi(answers)
  const app = await newAppContext(session, api, { locale, settings, extent: 'all' })
  const { pages, loads, history } = site({ at })
  const page = pages.get()
  const drawn = render(
    <AppProviders app={app}>
      <PageContext value={{ page, pages }}>
        <Router location={page.location} navigator={pages.navigator}>
          {component}
          <DialogHost />
          <AlertHost />
        </Router>
      </PageContext>
    </AppProviders>,
  )
  return { ...drawn, user: userEvent.setup(), app, sent, pages, loads, history }
}
