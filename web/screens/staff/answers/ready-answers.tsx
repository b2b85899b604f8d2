import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Answer, AnswersReply } from '#contract/staff/staff-room.ts'
import { useApi, useConfirm } from '#web/house/app-context.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { refetch } from '#web/session/refetch.ts'
import { loadSeed, type Seed, useSeededQuery } from '#web/session/seeded-query.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { StaffLayout } from '../staff-layout.tsx'
import { requireStillThere, StaffNotLoaded } from '../staff-not-loaded.tsx'
import { AnswerForm } from './answer-form.tsx'
import { ANSWERS_KEY } from './answers-key.ts'

export async function loadAnswers({ api, now }: LoaderInput): Promise<Seed<AnswersReply>> {
  return loadSeed(now, api('GET /api/v1/staff/answers', {}))
}

export function ReadyAnswers({ seed }: { seed: Seed<AnswersReply> }) {
  const t = useTranslations('staff.answers')
  const api = useApi()
  const query = useSeededQuery({
    name: ANSWERS_KEY,
    seed,
    queryFn: ({ signal }) => api('GET /api/v1/staff/answers', {}, { signal }),
  })
  requireStillThere(query)
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  const close = () => setEdited(null)
  const { data: answers, can_change: canChange } = query.data ?? {}
  return (
    <StaffLayout title={t('title')}>
      <h1 className="text-2xl font-semibold tracking-tight">{t('title')}</h1>
      <p className="mt-1 mb-4 text-muted">{canChange === false ? t('readOnly') : t('text')}</p>
      {answers === undefined ? (
        <StaffNotLoaded query={query} skeletons={['h-24', 'h-28']} />
      ) : (
        <div className="grid gap-4">
          {canChange !== true ? null : edited === 'new' ? (
            <AnswerForm onDone={close} />
          ) : (
            <Button kind="primary" className="justify-self-start" onClick={() => setEdited('new')}>
              {t('add')}
            </Button>
          )}
          {answers.length === 0 && edited === null ? (
            <EmptyState drawing="envelope" title={t('none')} text={t('noneText')} />
          ) : null}
          <ul className="grid gap-3">
            {answers.map((answer) => (
              <li key={answer.id} className="rounded border border-hairline bg-surface p-4">
                {edited === answer.id ? (
                  <AnswerForm answer={answer} onDone={close} />
                ) : (
                  <Shown answer={answer} canChange={canChange === true} onChange={() => setEdited(answer.id)} />
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </StaffLayout>
  )
}

function Shown({ answer, canChange, onChange }: { answer: Answer; canChange: boolean; onChange: () => void }) {
  const t = useTranslations('staff.answers')
  const api = useApi()
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const { pending, once } = useSingleFlight()
  const { id, title } = answer
  async function remove(): Promise<void> {
    if (!(await confirm({ text: t('confirmRemove', { title }), action: t('remove'), force: true }))) return
    await api('DELETE /api/v1/staff/answers/{id}', { id })
    await refetch(queryClient, { queryKey: [ANSWERS_KEY] })
  }
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 font-semibold wrap-anywhere">{title}</h2>
        {canChange ? (
          <span className="flex gap-2">
            <Button aria-label={t('changeOf', { title })} onClick={onChange}>
              {t('change')}
            </Button>
            <Button aria-label={t('removeOf', { title })} aria-disabled={pending} onClick={() => once(remove)}>
              {t('remove')}
            </Button>
          </span>
        ) : null}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <p lang="ru" className="whitespace-pre-wrap wrap-anywhere">
          {answer.ru}
        </p>
        <p lang="en" className="whitespace-pre-wrap wrap-anywhere">
          {answer.en}
        </p>
      </div>
    </>
  )
}
