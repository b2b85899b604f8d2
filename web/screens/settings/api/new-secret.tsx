import { useTranslations } from 'use-intl'
import { useAppContext } from '#web/house/app-context.ts'
import { CodeLine } from './code-line.tsx'
import type { SecretProps } from './secrets/secret-list.tsx'
import { ShownSecret } from './secrets/shown-secret.tsx'

/** Shows a new API key's secret, only now, because the server stores only its hash. */
export function NewSecret({ made: { name, secret }, onSaved }: SecretProps) {
  const t = useTranslations('keys.secret')
  const { page } = useAppContext()
  const words = { title: t('title', { name }), text: t('text'), saved: t('saved') }
  const command = `curl -H "Authorization: Bearer ${secret}" "${page.publicUrl}/stubs/handler_api.php?action=getBalance"`
  return (
    <ShownSecret
      secret={secret}
      words={{ ...words, copy: t('copy'), copied: t('copied') }}
      className="text-lg"
      onSaved={onSaved}
    >
      <p className="mt-5 mb-2 text-sm text-muted">{t('try')}</p>
      <CodeLine text={command} label={t('copyCommand')} />
    </ShownSecret>
  )
}
