import type { ComponentProps } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import { NotLoaded } from '#web/ui/not-loaded.tsx'

export function StaffNotLoaded(props: Omit<ComponentProps<typeof NotLoaded>, 'words'>) {
  const t = useTranslations('staff')
  return <NotLoaded {...props} words={{ title: t('failedTitle'), text: t('failedText'), retry: t('retry') }} />
}

/** Throws a 404 error again, so that a person who lost the staff role or the second factor sees the usual 404 page. */
export function requireStillThere({ error }: { error: unknown }): void {
  if (error instanceof CallError && error.httpStatus === 404) throw error
}
