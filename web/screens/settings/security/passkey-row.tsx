import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { PASSKEY_NAME_MAX_LENGTH } from '#contract/passkeys/passkey-name.ts'
import type { Passkey } from '#contract/passkeys/passkeys.ts'
import { useApi, useConfirm } from '#web/house/app-context.ts'
import { unlessGone } from '#web/screens/settings/unless-gone.ts'
import { refetch } from '#web/session/refetch.ts'
import { useSingleFlight } from '#web/session/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { LocalMoment } from '#web/ui/time/local-moment.tsx'

export function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useTranslations('settings.passkeys')
  const { pending, rename, remove } = usePasskey(passkey)
  const [naming, setNaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const wasNaming = useRef(false)
  // After a rename the focus returns to the rename button, so that keyboard users continue from there.
  useEffect(() => {
    if (wasNaming.current && !naming) renameButton.current?.focus()
    wasNaming.current = naming
  }, [naming])
  const { name, host, last_used_at: usedAt, created_at: createdAt } = passkey
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-3.5 gap-y-2 py-2.5">
      <KeyRound size={22} aria-hidden className="shrink-0 text-muted" />
      {naming ? (
        <NameForm
          name={name}
          onDone={(next) => {
            setNaming(false)
            if (next !== null) rename(next)
          }}
        />
      ) : (
        <>
          <div className="min-w-0 flex-1 basis-40">
            <p className="font-medium break-words">{name}</p>
            <p className="text-sm text-muted">
              <span className="break-all">{host}</span> · {t(usedAt === null ? 'addedAt' : 'usedAt')}{' '}
              <LocalMoment at={usedAt ?? createdAt} />
            </p>
          </div>
          <span className="ml-auto flex gap-2">
            <Button
              ref={renameButton}
              aria-label={t('renameOne', { name })}
              aria-disabled={pending}
              onClick={() => setNaming(true)}
            >
              {t('rename')}
            </Button>
            <Button aria-label={t('removeOne', { name })} aria-disabled={pending} onClick={remove}>
              {t('remove')}
            </Button>
          </span>
        </>
      )}
    </li>
  )
}

/** Renders the form for a passkey's name. `onDone` gets null if the name stays unchanged. */
function NameForm({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const t = useTranslations('settings.passkeys')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  function submit(event: FormEvent): void {
    event.preventDefault()
    const next = input.current?.value.trim() ?? ''
    onDone(next === '' || next === name ? null : next)
  }
  return (
    <form className="flex min-w-0 flex-1 flex-wrap items-center gap-2" onSubmit={submit}>
      <input
        ref={input}
        aria-label={t('name')}
        defaultValue={name}
        maxLength={PASSKEY_NAME_MAX_LENGTH}
        className="h-11 min-w-0 flex-1 basis-40 rounded border border-edge bg-surface px-3"
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone(null)
        }}
      />
      <Button type="submit">{t('save')}</Button>
    </form>
  )
}

function usePasskey({ id, name }: Passkey) {
  const t = useTranslations('settings.passkeys')
  const api = useApi()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const { pending, once } = useSingleFlight()
  async function change(call: Promise<unknown>): Promise<void> {
    await unlessGone(call)
    await refetch(queryClient, { queryKey: ['passkeys'] })
  }
  async function remove(): Promise<void> {
    if (!(await confirm({ text: t('confirm', { name }), action: t('remove'), force: true }))) return
    await change(api('DELETE /api/v1/user/passkeys/{id}', { id }))
  }
  return {
    pending,
    rename: (next: string) => once(() => change(api('PATCH /api/v1/user/passkeys/{id}', { id, name: next }))),
    remove: () => once(remove),
  }
}
