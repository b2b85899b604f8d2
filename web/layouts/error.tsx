import { useEffect } from 'react'
import { CallError } from '#contract/calls/calls.ts'
import { useAppContext } from '#web/app-context.ts'
import { Maintenance } from '#web/screens/maintenance.tsx'
import { useFailure } from '#web/session/use-failure.ts'
import { ErrorContent } from '#web/ui/error-content.tsx'
import { MainLayout } from './main.tsx'
import { NotFound } from './not-found.tsx'

/** The layout `error`: replaces a failed screen. */
export function ErrorLayout({ error }: { error: unknown }) {
  const { faults } = useAppContext()
  // The api client has reported a failed call.
  useEffect(() => {
    if (!(error instanceof CallError)) faults.tell({ error })
  }, [error, faults])
  const { status, words } = told(error)
  const isMaintenance = status === 503 && words !== ''
  const fail = useFailure()
  // Handled as for any call (specification 8). The maintenance page shows its message itself.
  useEffect(() => {
    if (!isMaintenance) fail(error)
  }, [error, fail, isMaintenance])
  if (isMaintenance) return <Maintenance message={words} />
  if (status === 404) {
    return (
      <MainLayout>
        <NotFound />
      </MainLayout>
    )
  }
  const refusal = status < 500 && words !== '' ? words : null
  return (
    <MainLayout>
      <ErrorContent status={refusal === null && status < 500 ? 500 : status} refusal={refusal} />
    </MainLayout>
  )
}

function told(error: unknown): { status: number; words: string } {
  return error instanceof CallError ? { status: error.httpStatus, words: error.message } : { status: 500, words: '' }
}
