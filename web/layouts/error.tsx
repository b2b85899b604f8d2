import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { CallError } from '#contract/calls.ts'
import { ErrorContent } from '../components/error-content.tsx'
import { Maintenance } from '../components/maintenance.tsx'
import { NotFound } from '../components/not-found.tsx'
import { useFrame } from '../frame.ts'
import { MainFrame } from './main.tsx'

/** The layout `error`: what is shown instead of a screen that failed. */
export function ErrorLayout() {
  const error = useRouteError()
  const { faults } = useFrame()
  // What a call answered was told by the call.
  useEffect(() => {
    if (!(error instanceof CallError)) faults.tell({ error })
  }, [error, faults])
  const status = error instanceof CallError ? error.httpStatus : 500
  if (status === 503 && error instanceof CallError && error.message !== '')
    return <Maintenance message={error.message} />
  return <MainFrame>{status === 404 ? <NotFound /> : <ErrorContent />}</MainFrame>
}
