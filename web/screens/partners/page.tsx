import { useTranslations } from 'use-intl'
import { useDialogs, useSession } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { PageHead } from '#web/navigation/page-head.tsx'
import { useScreenData } from '#web/navigation/use-page.ts'
import { loadDocument } from '#web/reading/load-document.ts'
import { TextPage } from '#web/reading/text-page.tsx'
import { Button } from '#web/ui/button.tsx'
import { MemberReferral } from './member-referral.tsx'
import { Terms } from './terms.tsx'
import type { ReferralSeed } from './use-referral.ts'

export async function loader({ api, session, now }: LoaderInput) {
  const [text, { referral }, own] = await Promise.all([
    loadDocument(api, 'partners'),
    api('GET /api/v1/programmes', {}),
    session.status === 'authenticated' ? loadOwn(api, now) : null,
  ])
  return { text, referral, own }
}

async function loadOwn(api: LoaderInput['api'], askedAt: string): Promise<ReferralSeed> {
  const [{ data }, shares, withdrawals] = await Promise.all([
    api('GET /api/v1/referral', {}),
    api('GET /api/v1/referral/shares', {}),
    api('GET /api/referral/history-withdrawals', {}),
  ])
  return { askedAt, referral: data, shares, withdrawals }
}

export function Page() {
  const { text, referral, own } = useScreenData<typeof loader>()
  const terms = (
    <section className="mt-6 max-w-3xl rounded border border-hairline bg-surface p-4 sm:p-5">
      <Terms referral={referral} />
      {own === null && referral !== null ? <RegisterButton /> : null}
    </section>
  )
  return (
    <>
      <PageHead title={text.title} description={text.description} />
      <TextPage
        text={text}
        byline={<span className="text-base">{text.description}</span>}
        lead={
          <div className="mb-12">
            {own === null ? (
              terms
            ) : (
              <MemberReferral key={own.askedAt} seed={own}>
                {terms}
              </MemberReferral>
            )}
          </div>
        }
      />
    </>
  )
}

function RegisterButton() {
  const t = useTranslations('referral')
  const { open } = useDialogs()
  const { signedIn } = useSession()
  if (signedIn) return null
  return (
    <Button kind="primary" className="mt-4 min-h-11" onClick={() => open('registration', {})}>
      {t('register')}
    </Button>
  )
}
