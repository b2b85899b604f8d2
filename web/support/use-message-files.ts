import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CallError } from '#contract/calls/calls.ts'
import type { SupportFile } from '#contract/support/support.ts'
import { FILE_MAX_BYTES, MESSAGE_MAX_FILES } from '#contract/support/support-constants.ts'
import { useAppContext } from '#web/house/app-context.ts'
import { inBackground } from '#web/house/in-background.ts'
import { newId } from '#web/house/new-id.ts'
import { useFailure } from '#web/session/use-failure.ts'
import type { MessageDraft } from './message-draft.ts'
import { sendFile } from './send-file.ts'
import type { ChangeDraft } from './use-draft.ts'

type Sending = { key: string; name: string }
export type RefusedFile = { key: string; text: string }

export type MessageFiles = {
  sending: Sending[]
  refused: RefusedFile[]
  dismiss: (refused: RefusedFile) => void
  add: (chosen: File[]) => void
  remove: (file: SupportFile) => void
}

export function useMessageFiles(files: SupportFile[], change: ChangeDraft<MessageDraft>): MessageFiles {
  const t = useTranslations('support')
  const app = useAppContext()
  const fail = useFailure()
  const [sending, setSending] = useState<Sending[]>([])
  const [refused, setRefused] = useState<RefusedFile[]>([])
  const last = useRef<Promise<void>>(Promise.resolve())

  async function send(file: File, key: string): Promise<void> {
    try {
      const taken = await sendFile(app, file)
      change((before) => ({ files: [...before.files, taken] }))
    } catch (error) {
      const why = refusalOf(error)
      if (why === null) fail(error)
      setRefused((before) => [...before, { key, text: why ?? t('notSent', { name: file.name }) }])
    } finally {
      setSending((before) => before.filter((one) => one.key !== key))
    }
  }
  function add(chosen: File[]): void {
    const tooLarge = chosen.filter(({ size }) => size > FILE_MAX_BYTES)
    const room = Math.max(0, MESSAGE_MAX_FILES - files.length - sending.length)
    const small = chosen.filter(({ size }) => size <= FILE_MAX_BYTES)
    const texts = tooLarge.map(({ name }) => t('tooLarge', { name }))
    for (const { name } of small.slice(room)) texts.push(t('tooMany', { name, count: MESSAGE_MAX_FILES }))
    setRefused(texts.map((text) => ({ key: newId(), text })))
    for (const file of small.slice(0, room)) {
      const key = newId()
      setSending((before) => [...before, { key, name: file.name }])
      last.current = last.current.then(() => send(file, key))
      inBackground(last.current)
    }
  }
  return {
    sending,
    refused,
    dismiss: ({ key }) => setRefused((before) => before.filter((one) => one.key !== key)),
    add,
    remove: ({ id }) => change((before) => ({ files: before.files.filter((file) => file.id !== id) })),
  }
}

/** Returns the server's message, which names the file and the reason; null if the failure does not concern the file. */
function refusalOf(error: unknown): string | null {
  const isOfFile = error instanceof CallError && (error.code === 'BAD_FILE' || error.code === 'TOO_MANY_FILES')
  return isOfFile && error.message !== '' ? error.message : null
}
